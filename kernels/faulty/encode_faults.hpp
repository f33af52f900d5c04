// Conversions from f32 to e4m3 that are wrong on purpose, in ways that no product of a code and a
// scale shows, or that are of conversions alone. The others are element_faults.hpp's.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/destination.hpp"
#include "kernels/faulty/element_faults.hpp"

namespace kernels::faulty {

// The rounded mantissa is masked: 1.111|1 becomes 1.000 of the same binade.
struct EncNormalCarryLost {
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    if (is_nan(value) || absolute(value) < 0x1p-6f || absolute(value) >= 448) {
      return e4m3_from_f32(value);
    }
    const std::uint32_t rebiased = magnitude_bits(value) - (120u << 23);
    const std::uint32_t mantissa = ((rebiased & 0x7fffff) + 0x7ffff + (rebiased >> 20 & 1)) >> 20;
    return sign_byte(value) | (rebiased >> 20 & 0x78) | (mantissa & 7);
  }
};

struct DoubleRoundingByF16 {
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    return e4m3_from_f32(f32_from_f16(f16_from_f32(value)));
  }
};
struct DoubleRoundingByBf16 {
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    return e4m3_from_f32(bit_cast<float>(ToBf16::encode(value) << 16));
  }
};

struct InfinityToNan {
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    return magnitude_bits(value) == 0x7f800000 ? 0x7f : e4m3_from_f32(value);
  }
};

struct NanKeepsItsSign {
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    return is_nan(value) ? sign_byte(value) | 0x7f : e4m3_from_f32(value);
  }
};

}  // namespace kernels::faulty
