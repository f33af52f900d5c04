#pragma once

namespace harness {

// Closes all descriptors from `first` on. May be called between fork and exec.
void close_from(int first);

}  // namespace harness
