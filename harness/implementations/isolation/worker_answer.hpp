// What a worker answers, taken apart. It comes from the process that is judged: every member is
// checked.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "harness/model/implementation.hpp"
#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"

namespace harness {

// To the request "open".
struct OpenedAnswer {
  std::vector<ImplementationInfo> infos;
  nlohmann::ordered_json facts;
};
// Error: malformed, names the member, expected and actual.
Result<OpenedAnswer> read_opened(const nlohmann::json& answer);

// To the request "execute": without the outputs, which are in shared memory. Error: malformed, as
// above, and for a trespass on a tensor that the problem does not have.
Result<Execution> read_execution(const nlohmann::json& answer, const Problem& problem);

}  // namespace harness
