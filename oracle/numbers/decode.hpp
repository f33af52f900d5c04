// Code to exact value, in every format.
#pragma once

#include <cassert>
#include <cstdint>

#include "oracle/numbers/formats.hpp"

namespace oracle {

// The value that `code` stands for. Exact. A NaN carries the sign bit of its code. Precondition:
// the code has no bits above the format's (bits that a storage leaves open, as the upper nibble of
// a padded e2m1, are the caller's to judge).
constexpr Exact decode(const FormatSpec& f, std::uint32_t code) {
  assert((code & ~code_mask(f)) == 0);
  const bool negative = is_negative(f, code);
  if (is_nan(f, code)) return Exact::nan(negative);
  if (is_infinity(f, code)) return Exact::infinity(negative);

  const std::uint32_t mantissa = code & mantissa_mask(f);
  const auto field = static_cast<int>((code & exponent_mask(f)) >> f.mantissa_bits);
  if (f.subnormals && field == 0) {
    return Exact::finite(negative, mantissa, min_exponent(f) - f.mantissa_bits);
  }
  return Exact::finite(negative, mantissa | (1U << f.mantissa_bits),
                       field - f.bias - f.mantissa_bits);
}

template <Format F>
constexpr Exact decode(std::uint32_t code) {
  return decode(F::spec, code);
}

static_assert(decode<e2m1>(0b0'01'1) == Exact::finite(false, 3, -1));       // 1.5
static_assert(decode<e4m3>(0b0'1000'011) == Exact::finite(false, 11, -2));  // 2.75
static_assert(decode<e8m0>(0x00) == Exact::power_of_two(-127));

}  // namespace oracle
