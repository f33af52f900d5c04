// Ctrl-C and a scheduler's SIGTERM end a run in good order; a second one ends it at once.
#pragma once

#include <atomic>

namespace harness::cli {

// From the first call on, a first SIGINT or SIGTERM only sets this.
const std::atomic<bool>& interruption();

}  // namespace harness::cli
