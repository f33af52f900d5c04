// e2m1 and e4m3 (OCP, finite, NaN 7f and ff) to and from f32, in plain integer and f32 arithmetic:
// what a chip without the conversions runs, and what the table is built with. No branches, so that
// compilers may run several elements at once.
#pragma once

#include <cstdint>

#include "kernels/portability/device.hpp"

namespace kernels {

using portability::bit_cast;

__host__ __device__ __forceinline__ constexpr bool is_nan(float value) {
  return (bit_cast<std::uint32_t>(value) & 0x7fffffff) > 0x7f800000;
}

// Exact. The code is 0bSEEM; its exponent is rebiased from 1 to 127. Field 0 has the exponent of
// field 1 without the leading one, which is subtracted.
__host__ __device__ __forceinline__ constexpr float f32_from_e2m1(std::uint32_t code) {
  const std::uint32_t magnitude = code & 7;
  const bool subnormal = magnitude < 2;
  const std::uint32_t rebiased = (magnitude << 22) + ((subnormal ? 127u : 126u) << 23);
  const float value = bit_cast<float>(rebiased) - (subnormal ? 1.0f : 0.0f);
  return bit_cast<float>((code & 8) << 28 | bit_cast<std::uint32_t>(value));
}

// Exact; NaN is 7fc00000 whatever its sign. The code is 0bSEEEEMMM; its exponent is rebiased from 7
// to 127, and field 0 is treated as above.
__host__ __device__ __forceinline__ constexpr float f32_from_e4m3(std::uint32_t code) {
  const std::uint32_t magnitude = code & 0x7f;
  const bool subnormal = magnitude < 8;
  const std::uint32_t rebiased = (magnitude << 20) + ((subnormal ? 121u : 120u) << 23);
  const float value = bit_cast<float>(rebiased) - (subnormal ? 0x1p-6f : 0.0f);
  const std::uint32_t bits = (code & 0x80) << 24 | bit_cast<std::uint32_t>(value);
  return bit_cast<float>(magnitude == 0x7f ? 0x7fc00000u : bits);
}

// Correctly rounded (RNE), saturating at 448; NaN of either sign gives 7f.
__host__ __device__ __forceinline__ constexpr std::uint32_t e4m3_from_f32(float value) {
  const auto bits = bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffff;
  const std::uint32_t clamped = magnitude < 0x43e00000u ? magnitude : 0x43e00000u;  // 448
  // Below 2^-6 the grid is 2^-9, and so is the grid of f32 from 2^14 on: the sum is rounded there.
  const float shifted = bit_cast<float>(clamped) + 0x1p14f;
  const std::uint32_t subnormal = bit_cast<std::uint32_t>(shifted) - 0x46800000u;
  // From 2^-6 on, 20 mantissa bits are dropped to nearest, ties to even; a carry runs into the
  // exponent as it should.
  const std::uint32_t rebiased = clamped - (120u << 23);
  const std::uint32_t normal = (rebiased + 0x7ffff + (rebiased >> 20 & 1)) >> 20;
  const std::uint32_t rounded = clamped < 0x3c800000u ? subnormal : normal;
  return magnitude > 0x7f800000u ? 0x7fu : (bits >> 24 & 0x80) | rounded;
}

}  // namespace kernels
