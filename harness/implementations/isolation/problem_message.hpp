// A problem as a message: its description as JSON, the bytes of its tensors in shared memory, each
// between its guards. An output's bytes are its fill before the call and its result after it, so
// that a child which answers without writing leaves the fill.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/implementations/guards/guarded_layout.hpp"
#include "harness/implementations/isolation/shared_memory.hpp"
#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"

namespace harness {

struct ReceivedProblem {
  Problem problem;
  GuardedLayout layout;
};

// Parent: writes guards and bytes, and describes the problem.
Result<nlohmann::ordered_json> send_problem(const Problem& problem, const GuardedLayout& layout,
                                            SharedMemory& memory);
// Child: the problem of a description, and where its tensors lie. Unless `whole`, storages of
// sparse_bytes and more have their size and no contents: who works on the memory itself reads them
// there.
Result<ReceivedProblem> receive_problem(const nlohmann::json& json, SharedMemory& memory,
                                        bool whole);

}  // namespace harness
