// Judge, keeper, worker: the keeper stands between, loads nothing, and answers for what the worker
// starts. However the worker ends, and also when the judge is killed, it ends all processes that
// came from the worker, those in sessions of their own included, and then itself, as the worker
// did.
#pragma once

#include <optional>

namespace harness {

// Called first thing in the process that the judge has started. Returns nothing in the worker, a
// child of it, and the exit status in the keeper, when all is over. The keeper holds no
// descriptors.
std::optional<int> keep_worker();

}  // namespace harness
