// Golden answers for any problem that the suite knows: an operation's, or an element table's. What
// `vectors` makes and verifies, and `check` and `ver` judge by.
#pragma once

#include <span>

#include "harness/model/diagnosis.hpp"
#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "harness/results/records/results.hpp"
#include "oracle/profile.hpp"

namespace harness {

// The exact output bytes. Error: unknown_name for an operation that the suite lacks, or the
// contract that the problem breaks.
Result<Outputs> golden_outputs(const Problem& problem, const oracle::Profile& profile);

// The same for what the results of `fp4cts check` carry. Error: besides, a spec that no case has.
Result<Outputs> golden_outputs(const AskedProblem& asked, const oracle::Profile& profile);
// The problem of that. Error: likewise.
Result<Problem> asked_problem(const AskedProblem& asked);

// Explains wrong bytes. `calls` as in Operation::diagnose. Preconditions: golden_outputs gives
// `expected` for the last call; `actual` has outputs of the same sizes and differs.
Diagnosis diagnose_outputs(std::span<const Problem> calls, const oracle::Profile& profile,
                           const Outputs& expected, const Outputs& actual);

}  // namespace harness
