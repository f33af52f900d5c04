// Records as a person reads them.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/text_table.hpp"
#include "harness/results/records/results.hpp"

namespace harness::cli {

// A failing case: verdict, the first wrong bytes, the class of fault and the command that
// reproduces it, a line each. Precondition: the case did not pass.
std::string case_text(const CaseRecord& record, bool color);

// A row for each: what it is, a star where it is more than one, and why it was not run.
void add_not_run(TextTable& table, const std::vector<NotRunRecord>& not_run);

}  // namespace harness::cli
