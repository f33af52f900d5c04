// The facts of one number format, as its document states them: field widths, bias, and which codes
// are special. Limits, masks and special codes are derived here from those facts, never typed
// twice.
//
// A code is laid out 0bS...E...M from the highest bit down, in the low bits of a std::uint32_t.
// Covers binary formats of at most 32 bits. Does not cover shared (block) exponents: those are a
// second code, read by block_scale.hpp.
#pragma once

#include <cstdint>
#include <string_view>

#include "oracle/numbers/exact.hpp"

namespace oracle {

enum class NanEncoding : std::uint8_t {
  none,           // every code is a number
  all_ones,       // exponent and mantissa fields all ones, either sign
  negative_zero,  // the code of -0, and so no -0 (FNUZ formats)
  ieee,           // exponent field all ones, mantissa not zero
};

struct FormatSpec {
  std::string_view name;
  int sign_bits = 1;
  int exponent_bits = 0;
  int mantissa_bits = 0;
  int bias = 0;
  bool subnormals = true;   // exponent field 0 means zero and subnormals; else it is like any other
  bool infinities = false;  // exponent field all ones with mantissa zero
  NanEncoding nan = NanEncoding::none;

  bool operator==(const FormatSpec&) const = default;
};

constexpr int code_bits(const FormatSpec& f) {
  return f.sign_bits + f.exponent_bits + f.mantissa_bits;
}
constexpr std::uint64_t num_codes(const FormatSpec& f) { return std::uint64_t{1} << code_bits(f); }

// Significant bits of a normal value, the leading one included.
constexpr int precision(const FormatSpec& f) { return f.mantissa_bits + 1; }

constexpr std::uint32_t sign_mask(const FormatSpec& f) {
  return f.sign_bits == 0 ? 0U : 1U << (f.exponent_bits + f.mantissa_bits);
}
constexpr std::uint32_t mantissa_mask(const FormatSpec& f) { return (1U << f.mantissa_bits) - 1U; }
constexpr std::uint32_t exponent_mask(const FormatSpec& f) {
  return ((1U << f.exponent_bits) - 1U) << f.mantissa_bits;
}
constexpr std::uint32_t magnitude_mask(const FormatSpec& f) {
  return exponent_mask(f) | mantissa_mask(f);
}
constexpr std::uint32_t code_mask(const FormatSpec& f) { return sign_mask(f) | magnitude_mask(f); }

constexpr bool has_nan(const FormatSpec& f) { return f.nan != NanEncoding::none; }
constexpr bool has_negative_zero(const FormatSpec& f) {
  return f.sign_bits != 0 && f.subnormals && f.nan != NanEncoding::negative_zero;
}
constexpr bool has_zero(const FormatSpec& f) { return f.subnormals; }

constexpr bool is_nan(const FormatSpec& f, std::uint32_t code) {
  const std::uint32_t magnitude = code & magnitude_mask(f);
  switch (f.nan) {
    case NanEncoding::none:
      return false;
    case NanEncoding::all_ones:
      return magnitude == magnitude_mask(f);
    case NanEncoding::negative_zero:
      return (code & code_mask(f)) == sign_mask(f);
    case NanEncoding::ieee:
      return magnitude > exponent_mask(f);
  }
  return false;
}

constexpr bool is_infinity(const FormatSpec& f, std::uint32_t code) {
  return f.infinities && (code & magnitude_mask(f)) == exponent_mask(f);
}

constexpr bool is_negative(const FormatSpec& f, std::uint32_t code) {
  return (code & sign_mask(f)) != 0;
}

// The NaN that encode writes unless told otherwise: positive and quiet. Precondition: has_nan.
// Where many codes are NaN (ieee) it is the one with only the highest mantissa bit set, as x86
// makes. GPUs write others (all ones: 7f in e5m2, 7fff in f16): the caller's choice, see
// SpecialInputs in encode.hpp.
constexpr std::uint32_t canonical_nan_code(const FormatSpec& f) {
  switch (f.nan) {
    case NanEncoding::negative_zero:
      return sign_mask(f);
    case NanEncoding::ieee:
      return exponent_mask(f) | (1U << (f.mantissa_bits - 1));
    case NanEncoding::all_ones:
    case NanEncoding::none:
      break;
  }
  return magnitude_mask(f);
}

// Precondition: f.infinities.
constexpr std::uint32_t infinity_code(const FormatSpec& f, bool negative) {
  return exponent_mask(f) | (negative ? sign_mask(f) : 0U);
}

// The positive code of largest value; the codes below it are all the smaller ones.
constexpr std::uint32_t max_finite_code(const FormatSpec& f) {
  if (f.nan == NanEncoding::ieee || f.infinities) return exponent_mask(f) - 1U;
  return f.nan == NanEncoding::all_ones ? magnitude_mask(f) - 1U : magnitude_mask(f);
}

// Exponent of the smallest normal value, 2^min_exponent.
constexpr int min_exponent(const FormatSpec& f) { return f.subnormals ? 1 - f.bias : -f.bias; }

// Exponent e of the largest value, which lies in [2^e, 2^(e+1)).
constexpr int max_exponent(const FormatSpec& f) {
  return static_cast<int>(max_finite_code(f) >> f.mantissa_bits) - f.bias;
}

constexpr Exact max_finite(const FormatSpec& f) {
  const std::uint32_t mantissa = max_finite_code(f) & mantissa_mask(f);
  return Exact::finite(false, mantissa | (1U << f.mantissa_bits),
                       max_exponent(f) - f.mantissa_bits);
}
constexpr Exact min_normal(const FormatSpec& f) { return Exact::power_of_two(min_exponent(f)); }

// The smallest positive value: the smallest subnormal, or the smallest normal where there is none.
constexpr Exact min_positive(const FormatSpec& f) {
  return Exact::power_of_two(f.subnormals ? min_exponent(f) - f.mantissa_bits : min_exponent(f));
}

}  // namespace oracle
