// Elements of a row as f32, and f32 as e2m1 codes.
#pragma once

#include <cstdint>

#include "include/fp4cts/abi.h"
#include "kernels/arithmetic/f16.hpp"

namespace kernels {

// Exact; a NaN keeps its sign.
template <std::int32_t dtype>
__device__ __forceinline__ float widened(std::uint32_t bits) {
  if constexpr (dtype == FP4CTS_F32) return bit_cast<float>(bits);
  if constexpr (dtype == FP4CTS_BF16) return bit_cast<float>(bits << 16);
  const bool nan = (bits & 0x7fff) > 0x7c00;
  return nan ? bit_cast<float>((bits & 0x8000) << 16 | 0x7fc00000u) : f32_from_f16(bits);
}

// The magnitude of the nearest e2m1 value as its code, ties to even, saturating at 6. A NaN gives
// 0.
__host__ __device__ __forceinline__ constexpr std::uint32_t e2m1_nearest(float magnitude) {
  return (magnitude > 0.25f ? 1u : 0u) + (magnitude >= 0.75f ? 1u : 0u) +
         (magnitude > 1.25f ? 1u : 0u) + (magnitude >= 1.75f ? 1u : 0u) +
         (magnitude > 2.5f ? 1u : 0u) + (magnitude >= 3.5f ? 1u : 0u) +
         (magnitude > 5.0f ? 1u : 0u);
}

}  // namespace kernels
