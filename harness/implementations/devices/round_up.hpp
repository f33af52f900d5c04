#pragma once

#include <cstdint>

namespace harness {

// The least multiple that is not below `value`.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace harness
