// Failures of one cause, as far as can be told from records: the same verdict, class of fault and
// implementation. Fifty cases that one swapped nibble breaks are one thing to read.
#pragma once

#include <string>
#include <vector>

#include "harness/results/records/results_file.hpp"

namespace harness {

struct FailureGroup {
  std::string status;                      // "mismatch", "error", "not_run", "waived"
  std::string fault_class;                 // empty where there is none
  std::string row;                         // "nvfp4_gather_index_k table cpu"
  std::vector<const CaseRecord*> records;  // at least one, in the order of the plan
};

// Of all records that did not pass, in the order of their first case. They refer to `results`.
std::vector<FailureGroup> failure_groups(const ResultsFile& results);

}  // namespace harness
