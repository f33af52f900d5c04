// E8M0 block scales: 2^(byte - 127), 00 is 2^-127 and ff is NaN. There is no zero and no sign.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/element.hpp"

namespace kernels {

// Exact. The byte is an f32 exponent field, except that 2^-127 is subnormal in f32.
__host__ __device__ __forceinline__ constexpr float f32_from_e8m0(std::uint32_t byte) {
  const std::uint32_t normal = byte == 0xff ? 0x7fc00000u : byte << 23;
  return bit_cast<float>(byte == 0 ? 0x00400000u : normal);
}

// An element times a scale: two significant bits in 2^-128 .. 1.5 * 2^129, so exact in f32,
// subnormals kept, or infinite. For tables: a constant expression may neither overflow nor make a
// NaN, so both are seen before the product is taken.
__host__ __device__ constexpr float f32_product(std::uint32_t code, std::uint32_t scale) {
  const float factor = f32_from_e8m0(scale);
  if (is_nan(factor)) return factor;
  const float element = f32_from_e2m1(code);
  const float magnitude = element < 0 ? -element : element;
  if (magnitude * (factor * 0x1p-8f) < 0x1p120f) return element * factor;
  return bit_cast<float>(0x7f800000u | (code & 8) << 28);
}

// Every step for a scale of this format; e4m3 saturates an infinity.
struct E8m0Steps : ElementSteps {
  __host__ __device__ static constexpr float scale(std::uint32_t scale) {
    return f32_from_e8m0(scale);
  }
};

// The same, for the table.
struct E8m0TableSteps : E8m0Steps {
  template <class Self>
  __host__ __device__ static constexpr std::uint32_t element(std::uint32_t code,
                                                             std::uint32_t scale) {
    return Self::encode(f32_product(code, scale));
  }
};

}  // namespace kernels
