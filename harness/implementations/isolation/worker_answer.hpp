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
  std::uint64_t edge_granularity = 0;  // of the memory on which its calls are made
  nlohmann::ordered_json facts;
};
// Error: malformed, names the member, expected and actual.
Result<OpenedAnswer> read_opened(const nlohmann::json& answer);

// To the request "execute": the seconds that the call took, 0 where what is said is no time, and
// what a program says that it saw of its own guard zones, which is added to what the judge sees.
// All else is in shared memory, and judged there. Error: malformed, as above, and for a trespass on
// a tensor that the problem does not have.
Result<Execution> read_execution(const nlohmann::json& answer, const Problem& problem);

}  // namespace harness
