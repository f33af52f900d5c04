// The results of `fp4cts check`: no plan says what they must hold, so that each record carries the
// problem that its golden file asked, and the bytes are computed again from that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/results/records/results_file.hpp"
#include "harness/results/verdict/suite_knowledge.hpp"

namespace harness {

struct AnswerBytes {
  std::vector<std::string> contradictions;
  std::uint64_t unknown = 0;  // passing records whose golden file holds no problem of this suite
};

// Takes the time that the oracle takes.
AnswerBytes check_answer_bytes(const ResultsFile& results, const SuiteKnowledge& knowledge);

}  // namespace harness
