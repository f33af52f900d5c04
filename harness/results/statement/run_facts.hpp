// What a statement says of one run, as it follows from the records.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "harness/results/verdict/conclusion.hpp"

namespace harness {

struct StatedRun {
  ConcludedRun run;
  nlohmann::ordered_json facts;
};

// Reads a results file and finds its facts. Error: why it cannot be stated.
Result<StatedRun> stated_run(std::string_view name, std::string_view text,
                             const SuiteKnowledge& knowledge);

}  // namespace harness
