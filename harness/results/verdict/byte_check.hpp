// Computes the bytes of passing cases again, and compares digests.
#pragma once

#include <string>
#include <vector>

#include "harness/results/records/results_file.hpp"
#include "harness/results/verdict/plan.hpp"
#include "harness/results/verdict/suite_knowledge.hpp"

namespace harness {

struct ByteCheck {
  std::vector<std::string> contradictions;
  std::vector<std::string> unchecked;  // ids of cases that need more memory than this machine has
};

// `plan` is that of `results`, made again. On all cores; takes the time that the oracle takes.
ByteCheck check_bytes(const ResultsFile& results, const Plan& plan,
                      const SuiteKnowledge& knowledge);

}  // namespace harness
