#include "harness/implementations/devices/grid.hpp"

#include <mutex>

#include "harness/implementations/devices/parallel.hpp"
// Last: it defines the words of CUDA and HIP as macros.
#include "kernels/portability/host.hpp"

namespace harness {

std::optional<GridFault> run_grid(const kernels::Entry& entry, const void* arguments,
                                  std::uint64_t blocks) {
  const FaultTrap trap;
  std::mutex mutex;
  std::optional<GridFault> first;
  // Fewer calls than this are done before another core has started.
  constexpr std::uint64_t worth_a_thread = 1024;
  const std::uint64_t at_least = 1 + worth_a_thread / entry.threads_per_block;
  for_each_range(blocks, at_least, [&](std::uint64_t begin, std::uint64_t end) {
    const std::optional<Fault> fault = FaultTrap::run([&] {
      for (std::uint64_t block = begin; block < end; ++block) {
        blockIdx.x = static_cast<unsigned>(block);
        for (unsigned thread = 0; thread < entry.threads_per_block; ++thread) {
          threadIdx.x = thread;
          entry.host(arguments);
        }
      }
    });
    if (!fault) return;
    const std::lock_guard lock(mutex);
    if (!first || blockIdx.x < first->block) first = {blockIdx.x, threadIdx.x, *fault};
  });
  return first;
}

}  // namespace harness
