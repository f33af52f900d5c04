// The header of a run's results: what was chosen, by which build, on what machine; and whether a
// run that is resumed is still the same run.
#pragma once

#include "harness/cli/catalog.hpp"
#include "harness/cli/suite.hpp"
#include "harness/model/result.hpp"
#include "harness/results/records/results.hpp"
#include "harness/results/verdict/plan.hpp"

namespace harness::cli {

// All but the boards. Error: a profile cannot be read.
Result<RunHeader> make_header(const Suite& suite, const Selection& selection,
                              const Catalog& catalog, const Plan& plan);

// Error: invalid_argument, what differs of suite, plan, what is under test, machine or a profile's
// contents, and how.
Status check_same_run(const RunHeader& before, const RunHeader& now);

}  // namespace harness::cli
