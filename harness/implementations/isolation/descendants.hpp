// The processes that came from this one, so that none outlives what it was started for.
#pragma once

#include <sys/types.h>

#include <functional>
#include <vector>

namespace harness {

// The children of this process, from /proc; with PR_SET_CHILD_SUBREAPER also those whose parent is
// gone.
std::vector<pid_t> children_of_this_process();

// Kills the children that are not `spared`, and theirs as they become children of this process,
// until there are none or `seconds` have passed. Needs PR_SET_CHILD_SUBREAPER. Calls nothing that
// takes a lock of another thread.
void end_children(const std::function<bool(pid_t)>& spared, double seconds);

}  // namespace harness
