// Pairs of f16 in one register (the first in the low half), and their conversions from and to pairs
// of e4m3 in the low half of a register. On CUDA devices of capability 8.9 and newer they are
// the chip's own; elsewhere the same results in software.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/formats.hpp"

namespace kernels {

// Exact; every NaN is 7fc00000. Exponent field 0 has the exponent of field 1 without the leading
// one.
__host__ __device__ __forceinline__ constexpr float f32_from_f16(std::uint32_t half) {
  const std::uint32_t magnitude = half & 0x7fff;
  const bool subnormal = magnitude < 0x400;
  const std::uint32_t rebiased = (magnitude << 13) + ((subnormal ? 113u : 112u) << 23);
  const float value = bit_cast<float>(rebiased) - (subnormal ? 0x1p-14f : 0.0f);
  const auto finite = bit_cast<std::uint32_t>(value);
  const std::uint32_t special = magnitude == 0x7c00 ? 0x7f800000u : 0x7fc00000u;
  const std::uint32_t sign = magnitude > 0x7c00 ? 0 : (half & 0x8000) << 16;
  return bit_cast<float>(sign | (magnitude < 0x7c00 ? finite : special));
}

// Correctly rounded (RNE), to infinity from 65520 on; every NaN is 7fff.
__host__ __device__ __forceinline__ constexpr std::uint32_t f16_from_f32(float value) {
  const auto bits = bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffff;
  const std::uint32_t clamped = magnitude < 0x47800000u ? magnitude : 0x47800000u;  // 2^16
  // Below 2^-14 the grid is 2^-24, which is the grid of f32 from 2^-1 on: the sum is rounded there.
  const float shifted = bit_cast<float>(clamped) + 0.5f;
  const std::uint32_t subnormal = bit_cast<std::uint32_t>(shifted) - 0x3f000000u;
  // From 2^-14 on, 13 mantissa bits are dropped; a carry past the largest number gives infinity.
  const std::uint32_t rebiased = clamped - (112u << 23);
  const std::uint32_t normal = (rebiased + 0xfff + (rebiased >> 13 & 1)) >> 13;
  const std::uint32_t rounded = clamped < 0x38800000u ? subnormal : normal;
  return magnitude > 0x7f800000u ? 0x7fffu : (bits >> 16 & 0x8000) | rounded;
}

// Exact; NaN is 7fff, whatever its sign.
__device__ __forceinline__ std::uint32_t f16x2_from_e4m3x2(std::uint32_t codes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  std::uint32_t halves;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(static_cast<std::uint16_t>(codes)));
  return halves;
#else
  return f16_from_f32(f32_from_e4m3(codes & 0xff)) | f16_from_f32(f32_from_e4m3(codes >> 8 & 0xff))
                                                         << 16;
#endif
}

// RNE, saturating at 448; every NaN is 7f.
__device__ __forceinline__ std::uint32_t e4m3x2_from_f16x2(std::uint32_t halves) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  std::uint16_t codes;
  asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(codes) : "r"(halves));
  return codes;
#else
  return e4m3_from_f32(f32_from_f16(halves & 0xffff)) | e4m3_from_f32(f32_from_f16(halves >> 16))
                                                            << 8;
#endif
}

// The f16 product of each half, RNE. In software the f32 product of two f16 is exact, so that it
// too is rounded once.
__device__ __forceinline__ std::uint32_t multiply_f16x2(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  std::uint32_t product;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(product) : "r"(a), "r"(b));
  return product;
#else
  return f16_from_f32(f32_from_f16(a & 0xffff) * f32_from_f16(b & 0xffff)) |
         f16_from_f32(f32_from_f16(a >> 16) * f32_from_f16(b >> 16)) << 16;
#endif
}

}  // namespace kernels
