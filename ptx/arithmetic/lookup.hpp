// The conversions that pages are made of, fast: tables and integer steps. Tests hold each to the
// exact values.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "ptx/arithmetic/pack.hpp"

namespace ptx::arithmetic {

// e4m3, nearest even, saturating; NaN is 7f.
inline std::uint32_t e4m3_of_f32(std::uint32_t bits) {
  const std::uint32_t magnitude = bits & 0x7fff'ffffU;
  const std::uint32_t sign = (bits >> 24U) & 0x80U;
  // Normal results, from 2^-6 on: cut 20 bits with the half and the parity added, then move the
  // exponent.
  const std::uint32_t rounded = (magnitude + 0x7'ffffU + ((magnitude >> 20U) & 1U)) >> 20U;
  const std::uint32_t normal = rounded - ((127U - 7U) << 3U);
  // Below: adding 2^14, whose last bit is 2^-9, leaves the code in the last bits of the sum.
  const float sum = std::bit_cast<float>(magnitude) + 16384.0F;
  const std::uint32_t tiny =
      std::bit_cast<std::uint32_t>(sum) - std::bit_cast<std::uint32_t>(16384.0F);
  const std::uint32_t finite = magnitude < 0x3c80'0000U ? tiny : (normal > 0x7eU ? 0x7eU : normal);
  return magnitude > 0x7f80'0000U ? 0x7fU : sign | finite;
}

inline constexpr std::array<std::uint16_t, 256> e4m3_to_f16 = [] {
  std::array<std::uint16_t, 256> table{};
  for (std::uint32_t code = 0; code < 256; ++code) {
    table[code] = static_cast<std::uint16_t>(pack(f16, unpack(e4m3, code), {}));
  }
  return table;
}();
inline std::uint32_t f16_of_e4m3(std::uint32_t code) { return e4m3_to_f16[code]; }

// Exact; a NaN becomes the canonical one.
inline std::uint32_t f32_of_f16(std::uint32_t code) {
  const std::uint32_t magnitude = code & 0x7fffU;
  const std::uint32_t sign = (code & 0x8000U) << 16U;
  if (magnitude > 0x7c00U) return f32.nan;
  if (magnitude == 0x7c00U) return sign | 0x7f80'0000U;
  // As an f32 with the bits of an f16 the value is too small by 2^112, subnormal ones included.
  const float small = std::bit_cast<float>(magnitude << 13U);
  return sign | std::bit_cast<std::uint32_t>(small * 0x1p112F);
}

// Nearest even; overflow gives infinity.
inline std::uint32_t f16_of_f32(std::uint32_t bits) {
  const std::uint32_t magnitude = bits & 0x7fff'ffffU;
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const std::uint32_t rounded = (magnitude + 0xfffU + ((magnitude >> 13U) & 1U)) >> 13U;
  const std::uint32_t normal = rounded - ((127U - 15U) << 10U);
  // Below 2^-14: the last bit of a sum with 0.5 is 2^-24.
  const float sum = std::bit_cast<float>(magnitude) + 0.5F;
  const std::uint32_t tiny = std::bit_cast<std::uint32_t>(sum) - std::bit_cast<std::uint32_t>(0.5F);
  const std::uint32_t finite =
      magnitude < 0x3880'0000U ? tiny : (normal > 0x7c00U ? 0x7c00U : normal);
  return magnitude > 0x7f80'0000U ? f16.nan : sign | finite;
}

inline std::uint32_t e4m3_of_f16(std::uint32_t code) { return e4m3_of_f32(f32_of_f16(code)); }

}  // namespace ptx::arithmetic
