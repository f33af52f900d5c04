// Rounds an exact value into a format, once.
#pragma once

#include <bit>

#include "ptx/arithmetic/format.hpp"

namespace ptx::arithmetic {

enum class Round : std::uint8_t { nearest_even, zero, down, up };

struct Packing {
  Round round{Round::nearest_even};
  bool saturate_finite{};  // .satfinite: overflow and infinity give the largest number
  bool flush{};            // .ftz: results that are subnormal before rounding give zero
  bool unit{};             // .sat: to [0, 1], NaN gives 0
  bool relu{};             // negative gives 0, NaN stays
};

constexpr int top_bit(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64U);
  return high != 0 ? 127 - std::countl_zero(high)
                   : 63 - std::countl_zero(static_cast<std::uint64_t>(value));
}

// value >> amount, where what falls off is kept as one bit that says "more".
constexpr Wide shift_right_sticky(Wide value, int amount) {
  if (amount <= 0) return value;
  if (amount > 127) return value != 0 ? 1 : 0;
  const Wide lost = value & ((Wide{1} << static_cast<unsigned>(amount)) - 1);
  return (value >> static_cast<unsigned>(amount)) | (lost != 0 ? 1U : 0U);
}

// The integer that value * 2^exponent rounds to; it must fit in 64 bits.
constexpr std::uint64_t round_to_integer(Wide significand, int exponent, bool negative,
                                         Round round) {
  if (exponent >= 0)
    return static_cast<std::uint64_t>(significand << static_cast<unsigned>(exponent));
  // Two bits below the unit: the half, and whatever is less.
  const Wide scaled = exponent < -2 ? shift_right_sticky(significand, -exponent - 2)
                                    : significand << static_cast<unsigned>(2 + exponent);
  auto whole = static_cast<std::uint64_t>(scaled >> 2U);
  const auto rest = static_cast<unsigned>(scaled & 3U);
  bool more = false;
  switch (round) {
    case Round::nearest_even:
      more = rest > 2 || (rest == 2 && (whole & 1U) != 0);
      break;
    case Round::zero:
      break;
    case Round::down:
      more = negative && rest != 0;
      break;
    case Round::up:
      more = !negative && rest != 0;
      break;
  }
  whole += more ? 1 : 0;
  return whole;
}

constexpr std::uint32_t overflowed(const Format& format, bool negative, bool infinite,
                                   const Packing& packing) {
  const std::uint32_t sign = negative ? format.sign_bit() : 0;
  const bool toward_finite = packing.round == Round::zero ||
                             (packing.round == Round::down && !negative) ||
                             (packing.round == Round::up && negative);
  if (packing.saturate_finite || (!infinite && toward_finite)) return sign | format.largest();
  if (format.top == Top::ieee) return sign | format.infinity();
  return format.top == Top::one_nan ? format.nan : sign | format.largest();
}

constexpr std::uint32_t pack(const Format& format, Exact value, const Packing& packing) {
  if (value.kind == Exact::Kind::nan) return packing.unit ? 0 : format.nan;
  if ((packing.unit || packing.relu) && value.negative) return 0;
  if (packing.unit) {  // above one is one
    const bool above = value.kind == Exact::Kind::infinity ||
                       (value.significand != 0 && top_bit(value.significand) + value.exponent >= 0);
    if (above) return static_cast<std::uint32_t>(format.bias) << format.mantissa_bits;
  }
  const std::uint32_t sign = value.negative ? format.sign_bit() : 0;
  if (value.kind == Exact::Kind::infinity) return overflowed(format, value.negative, true, packing);
  if (value.significand == 0) return sign;
  const int leading = top_bit(value.significand) + value.exponent;
  const bool normal = leading >= format.least_exponent();
  if (!normal && packing.flush) return sign;
  const int unit = (normal ? leading : format.least_exponent()) - format.mantissa_bits;
  if (leading > format.bias + 2) return overflowed(format, value.negative, false, packing);
  const auto rounded = static_cast<std::uint32_t>(
      round_to_integer(value.significand, value.exponent - unit, value.negative, packing.round));
  // A carry out of the mantissa moves the exponent on by itself.
  const auto field = normal ? static_cast<std::uint32_t>(leading + format.bias - 1) : 0U;
  const std::uint32_t magnitude = (field << format.mantissa_bits) + rounded;
  if (magnitude > format.largest()) return overflowed(format, value.negative, false, packing);
  return sign | magnitude;
}

}  // namespace ptx::arithmetic
