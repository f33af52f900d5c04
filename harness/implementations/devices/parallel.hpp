// Work split over the cores of this machine.
#pragma once

#include <cstdint>
#include <functional>

namespace harness {

// Cores that this process may use.
unsigned core_count();

// Cuts [0, count) into contiguous ranges of about the same size, at most one for each core and none
// shorter than `at_least` unless it is the only one, calls body(begin, end) for each, in threads of
// their own, and waits. A range whose thread the system refuses runs in the caller's.
void for_each_range(std::uint64_t count, std::uint64_t at_least,
                    const std::function<void(std::uint64_t, std::uint64_t)>& body);

}  // namespace harness
