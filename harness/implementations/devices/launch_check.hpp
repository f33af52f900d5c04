// What every launch must satisfy, whatever the device.
#pragma once

#include <cstdint>
#include <span>

#include "harness/model/result.hpp"
#include "kernels/module.hpp"

namespace harness {

// The x dimension of a CUDA or HIP grid; the host form keeps the same limit.
inline constexpr std::uint64_t max_blocks = 0x7fffffff;

// Error: invalid_argument when the argument bytes are not those of the entry's struct,
// out_of_range when there are more blocks than a grid holds.
Status check_launch(const kernels::Entry& entry, std::span<const std::uint8_t> arguments,
                    std::uint64_t blocks);

}  // namespace harness
