#include "harness/implementations/devices/parallel.hpp"

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

namespace harness {

unsigned core_count() { return std::max(1U, std::thread::hardware_concurrency()); }

void for_each_range(std::uint64_t count, std::uint64_t at_least,
                    const std::function<void(std::uint64_t, std::uint64_t)>& body) {
  if (count == 0) return;
  const std::uint64_t worth = count / std::max<std::uint64_t>(at_least, 1);
  // To ask for the cores costs a system call or two: as much as a small kernel.
  const std::uint64_t ranges =
      worth <= 1 ? 1 : std::min<std::uint64_t>(worth, std::uint64_t{core_count()});
  // The first `longer` ranges hold one more than the others.
  const std::uint64_t length = count / ranges;
  const std::uint64_t longer = count % ranges;
  std::vector<std::jthread> threads;
  threads.reserve(ranges);
  std::uint64_t begin = 0;
  for (std::uint64_t i = 0; i < ranges; ++i) {
    const std::uint64_t end = begin + length + (i < longer ? 1 : 0);
    bool started = false;
    if (i + 1 < ranges) {
      try {
        threads.emplace_back([&body, begin, end] { body(begin, end); });
        started = true;
      } catch (const std::system_error&) {
        started = false;
      }
    }
    if (!started) body(begin, end);
    begin = end;
  }
}

}  // namespace harness
