// Sums, products, quotients and roots of exact values. Products are exact; sums keep enough bits
// and a sticky one below, so that rounding them once into any format of this room is correct.
#pragma once

#include "ptx/arithmetic/pack.hpp"

namespace ptx::arithmetic {

constexpr Exact negated(Exact value) {
  value.negative = !value.negative;
  return value;
}

constexpr Exact product(const Exact& a, const Exact& b) {
  using Kind = Exact::Kind;
  if (a.kind == Kind::nan || b.kind == Kind::nan) return nan();
  if (a.kind == Kind::infinity || b.kind == Kind::infinity) {
    if (a.zero() || b.zero()) return nan();
    return {.kind = Kind::infinity, .negative = a.negative != b.negative};
  }
  return {.kind = Kind::number,
          .negative = a.negative != b.negative,
          .significand = a.significand * b.significand,
          .exponent = a.exponent + b.exponent};
}

constexpr Exact leading_at_125(Exact value) {
  const int up = 125 - top_bit(value.significand);
  value.significand <<= static_cast<unsigned>(up);
  value.exponent -= up;
  return value;
}

// Significands of at most 64 bits each. `round` decides the sign of an exact zero.
constexpr Exact sum(const Exact& a, const Exact& b, Round round) {
  using Kind = Exact::Kind;
  if (a.kind == Kind::nan || b.kind == Kind::nan) return nan();
  if (a.kind == Kind::infinity || b.kind == Kind::infinity) {
    if (a.kind == b.kind && a.negative != b.negative) return nan();
    return a.kind == Kind::infinity ? a : b;
  }
  if (a.zero() && b.zero()) {
    const bool negative = a.negative == b.negative ? a.negative : round == Round::down;
    return {.negative = negative};
  }
  if (a.zero()) return b;
  if (b.zero()) return a;
  // Both with their leading bit at 125, so that a sum fits; the smaller one then moves down. What
  // is lost of it can only matter as a sticky bit: where bits cancel, it moves by one place at
  // most.
  Exact high = leading_at_125(a);
  Exact low = leading_at_125(b);
  if (high.exponent < low.exponent ||
      (high.exponent == low.exponent && high.significand < low.significand)) {
    const Exact swapped = high;
    high = low;
    low = swapped;
  }
  low.significand = shift_right_sticky(low.significand, high.exponent - low.exponent);
  Exact result = high;
  if (high.negative == low.negative) {
    result.significand += low.significand;
  } else {
    result.significand -= low.significand;
    if (result.significand == 0) result.negative = round == Round::down;
  }
  return result;
}

constexpr Exact quotient(const Exact& a, const Exact& b) {
  using Kind = Exact::Kind;
  if (a.kind == Kind::nan || b.kind == Kind::nan) return nan();
  const bool negative = a.negative != b.negative;
  if (a.kind == Kind::infinity) {
    if (b.kind == Kind::infinity) return nan();
    return {.kind = Kind::infinity, .negative = negative};
  }
  if (b.kind == Kind::infinity) return {.negative = negative};
  if (b.zero()) {
    if (a.zero()) return nan();
    return {.kind = Kind::infinity, .negative = negative};
  }
  const Wide numerator = a.significand << 64U;
  const Wide whole = numerator / b.significand;
  const bool rest = numerator % b.significand != 0;
  return {.kind = Kind::number,
          .negative = negative,
          .significand = (whole << 1U) | (rest ? 1U : 0U),
          .exponent = a.exponent - b.exponent - 65};
}

constexpr Exact square_root(const Exact& a) {
  using Kind = Exact::Kind;
  if (a.kind == Kind::nan || a.zero()) return a;
  if (a.negative) return nan();
  if (a.kind == Kind::infinity) return a;
  Exact value = a;
  int up = 120 - top_bit(value.significand);
  if (((value.exponent - up) & 1) != 0) --up;
  value.significand <<= static_cast<unsigned>(up);
  value.exponent -= up;
  Wide root = 0;
  for (int bit = 60; bit >= 0; --bit) {
    const Wide tried = root | (Wide{1} << static_cast<unsigned>(bit));
    if (tried * tried <= value.significand) root = tried;
  }
  const bool rest = root * root != value.significand;
  return {.significand = (root << 1U) | (rest ? 1U : 0U), .exponent = value.exponent / 2 - 1};
}

constexpr Exact without_subnormal(const Format& format, std::uint32_t code) {
  Exact value = unpack(format, code);
  const bool subnormal = ((code & format.magnitude_mask()) >> format.mantissa_bits) == 0;
  if (subnormal) value.significand = 0;
  return value;
}

}  // namespace ptx::arithmetic
