// Gigabytes of zeros of which only what is written takes memory: a case may be about the size of an
// allocation, and the judge need not hold it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace harness {

// From here on it is worth asking which parts of memory are zeros.
inline constexpr std::uint64_t sparse_bytes = std::uint64_t{64} << 20;
// The grain of what is asked.
inline constexpr std::uint64_t sparse_block_bytes = std::uint64_t{64} << 10;

// From sparse_bytes on, whole machine pages take no memory until they are written. A copy of it is
// an ordinary vector.
std::vector<std::uint8_t> zeros_on_demand(std::uint64_t bytes);

bool all_zeros(std::span<const std::uint8_t> bytes);

}  // namespace harness
