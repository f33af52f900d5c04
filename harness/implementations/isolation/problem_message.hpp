// A problem as a message: its description as JSON, the bytes of its tensors in shared memory, each
// at its own offset. An output's bytes are its fill before the call and its result after it, so
// that a child which answers without writing leaves the fill.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "harness/implementations/isolation/shared_memory.hpp"
#include "harness/model/implementation.hpp"
#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"

namespace harness {

// Where each tensor of a problem lies, in the problem's order, and the bytes of all of them.
struct ProblemPlaces {
  std::vector<std::uint64_t> offsets;
  std::uint64_t total_bytes = 0;
};
ProblemPlaces places_of(const Problem& problem);

// Parent: writes the bytes and describes the problem.
Result<nlohmann::ordered_json> send_problem(const Problem& problem, SharedMemory& memory);
// Child: the problem of a description.
Result<Problem> receive_problem(const nlohmann::json& json, SharedMemory& memory);

// Child: writes the output bytes where the fills were. Error: outputs that are not the problem's.
Status send_outputs(const Problem& problem, const Outputs& outputs, SharedMemory& memory);
// Parent: the output bytes.
Outputs receive_outputs(const Problem& problem, const SharedMemory& memory);

}  // namespace harness
