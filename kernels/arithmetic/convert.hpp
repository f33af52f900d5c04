// Conversions between the wide formats (f32, f16, bf16) and the narrow ones (e4m3, e5m2, e8m0,
// e2m1) in plain integer and f32 arithmetic. Every source is exact in f32, so that a value is
// rounded once, when it is encoded.
#pragma once

#include <cstdint>

#include "include/fp4cts/abi.h"
#include "kernels/arithmetic/destination.hpp"
#include "kernels/arithmetic/e8m0.hpp"
#include "kernels/arithmetic/f16.hpp"

namespace kernels {

// Exact; every NaN is 7fc00000. e5m2 is the upper half of f16, bf16 that of f32.
__host__ __device__ __forceinline__ constexpr float f32_from_e5m2(std::uint32_t code) {
  return f32_from_f16(code << 8);
}
__host__ __device__ __forceinline__ constexpr float f32_from_bf16(std::uint32_t code) {
  return bit_cast<float>(code << 16);
}

// Correctly rounded (RNE) to `mantissa` bits from the exponent `smallest` of the least normal value
// on, and to its grid below; saturating at the code `largest`; NaN is `nan`. The mantissa's lowest
// kept bit decides ties, and a carry runs into the exponent as it should.
struct NarrowFormat {
  unsigned mantissa;
  int smallest;
  std::uint32_t largest;
  std::uint32_t sign;
  std::uint32_t nan;
};
inline constexpr NarrowFormat e5m2_format{2, -14, 0x7b, 0x80, 0x7f};
inline constexpr NarrowFormat e2m1_format{1, 0, 0x7, 0x8, 0x7};

template <const NarrowFormat& f>
__host__ __device__ __forceinline__ constexpr std::uint32_t narrow_from_f32(float value) {
  constexpr unsigned dropped = 23 - f.mantissa;
  constexpr auto least_normal = static_cast<std::uint32_t>(f.smallest + 127) << 23;
  // f32 has the grid of the subnormals from this power on: the sum is rounded there.
  constexpr auto grid = static_cast<std::uint32_t>(f.smallest + 127 + static_cast<int>(dropped))
                        << 23;
  // One past the largest, in f32: what lies beyond saturates.
  constexpr std::uint32_t beyond =
      ((f.largest + 1) << dropped) + (static_cast<std::uint32_t>(f.smallest + 126) << 23);
  const auto bits = bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffff;
  const std::uint32_t clamped = magnitude < beyond ? magnitude : beyond;
  const std::uint32_t subnormal =
      bit_cast<std::uint32_t>(bit_cast<float>(clamped) + bit_cast<float>(grid)) - grid;
  const std::uint32_t rebiased = clamped - (static_cast<std::uint32_t>(f.smallest + 126) << 23);
  const std::uint32_t half = (1u << (dropped - 1)) - 1;
  const std::uint32_t normal = (rebiased + half + (rebiased >> dropped & 1)) >> dropped;
  const std::uint32_t rounded = clamped < least_normal ? subnormal : normal;
  const std::uint32_t code = rounded < f.largest ? rounded : f.largest;
  return magnitude > 0x7f800000u ? f.nan : ((bits >> 31) * f.sign) | code;
}

// The value of element `i` of an array of one of abi.h's types.
__device__ __forceinline__ float value_of(const void* x, std::int32_t dtype, std::int64_t i) {
  const auto byte = [&] { return std::uint32_t{static_cast<const std::uint8_t*>(x)[i]}; };
  const auto half = [&] { return std::uint32_t{static_cast<const std::uint16_t*>(x)[i]}; };
  switch (dtype) {
    case FP4CTS_E4M3:
      return f32_from_e4m3(byte());
    case FP4CTS_E5M2:
      return f32_from_e5m2(byte());
    case FP4CTS_E8M0:
      return f32_from_e8m0(byte());
    case FP4CTS_E2M1:
      return f32_from_e2m1(byte());
    case FP4CTS_F16:
      return f32_from_f16(half());
    case FP4CTS_BF16:
      return f32_from_bf16(half());
    default:
      return static_cast<const float*>(x)[i];
  }
}

__device__ __forceinline__ void put_value(void* d, std::int32_t dtype, std::int64_t i,
                                          float value) {
  const auto byte = [&](std::uint32_t code) {
    static_cast<std::uint8_t*>(d)[i] = static_cast<std::uint8_t>(code);
  };
  const auto half = [&](std::uint32_t code) {
    static_cast<std::uint16_t*>(d)[i] = static_cast<std::uint16_t>(code);
  };
  switch (dtype) {
    case FP4CTS_E4M3:
      return byte(ToE4m3::encode(value));
    case FP4CTS_E5M2:
      return byte(narrow_from_f32<e5m2_format>(value));
    case FP4CTS_E2M1:
      return byte(narrow_from_f32<e2m1_format>(value));
    case FP4CTS_F16:
      return half(ToF16::encode(value));
    case FP4CTS_BF16:
      return half(ToBf16::encode(value));
    default:
      static_cast<std::uint32_t*>(d)[i] = ToF32::encode(value);
  }
}

}  // namespace kernels
