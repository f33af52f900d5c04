// Runs the host form of a kernel.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/implementations/devices/fault_trap.hpp"
#include "kernels/module.hpp"

namespace harness {

struct GridFault {
  std::uint64_t block = 0;
  unsigned thread = 0;
  Fault fault;
};

// Calls entry.host for every thread of `blocks` blocks, contiguous ranges of blocks on every core,
// the threads of a block in order. Returns the first fault in the order of the grid. The threads
// behind a fault in the same range do not run.
std::optional<GridFault> run_grid(const kernels::Entry& entry, const void* arguments,
                                  std::uint64_t blocks);

}  // namespace harness
