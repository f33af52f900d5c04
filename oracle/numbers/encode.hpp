// Exact value to code, in numbered steps: classify, align, round, overflow, pack. One rounding,
// from the exact significand. Every policy is an argument and none has a default.
//
// What an input that the format cannot hold becomes is the caller's choice (SpecialInputs). Under
// `strict` it is an error: NaN into a format without NaN, a negative value into one without sign,
// zero or less than the smallest value into one without zero.
#pragma once

#include <cstdint>
#include <optional>

#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/round.hpp"
#include "oracle/result.hpp"

namespace oracle {

// What becomes of a result whose magnitude, rounded with unbounded exponent, exceeds the largest
// finite value (IEEE 754 7.4), and of an infinite input.
enum class Overflow : std::uint8_t {
  satfinite,  // the largest finite value of that sign, for infinities too
  to_inf,     // infinity; but the largest finite value where the mode rounds toward zero for that
              // sign and the input was finite. An error in a format without infinity
  to_nan,     // the NaN of SpecialInputs, in every mode. An error in a format without NaN
};

struct SpecialInputs {
  std::optional<std::uint32_t>
      nan_code{};                   // the code for NaN; none: the canonical NaN, or an error
  bool keep_nan_sign = false;       // sets the sign bit of that code for a negative NaN input
  bool keep_overflow_sign = false;  // and for a negative value that Overflow::to_nan turns to NaN
  bool negative_by_magnitude = false;  // without a sign bit: encode |x|, else an error
  bool tiny_to_smallest = false;       // without a zero: what is below the smallest value, zero
                                       // included, becomes the smallest value, else an error
};

inline constexpr SpecialInputs strict{};

// E8M0 as cuda_fp8.h converts to it: |x|, and 2^-127 or less is 00.
inline constexpr SpecialInputs cuda_e8m0{.negative_by_magnitude = true, .tiny_to_smallest = true};

// E2M1 of a NaN: 6 (CUDA), or 6 with the NaN's sign (AMD's software model). docs/rounding.md lists
// who does what.
inline constexpr SpecialInputs e2m1_nan_is_six{.nan_code = 0b0'11'1};
inline constexpr SpecialInputs e2m1_nan_is_signed_six{.nan_code = 0b0'11'1, .keep_nan_sign = true};

// What an encode did to the magnitude.
enum class Step : std::uint8_t {
  exact,
  tie_down,  // exactly between two neighbours, to the one nearer to zero
  tie_up,
  down,  // inexact, toward zero
  up,
  overflow,  // beyond the largest finite value; infinite inputs too
  smallest,  // SpecialInputs::tiny_to_smallest applied
  nan,
};

struct Encoding {
  std::uint32_t code = 0;
  Step step = Step::exact;
};

namespace detail {

enum class Refusal : std::uint8_t {
  none,
  bad_rounding,
  bad_nan_code,
  no_nan,
  no_infinity,
  no_sign,
  no_zero,
};

struct Attempt {
  Encoding encoding;
  Refusal refusal = Refusal::none;
};

constexpr Attempt encode_nan(const FormatSpec& f, bool set_sign, const SpecialInputs& special,
                             Step step) {
  if (!special.nan_code && !has_nan(f)) return {{}, Refusal::no_nan};
  const std::uint32_t code = special.nan_code.value_or(canonical_nan_code(f));
  if ((code & ~code_mask(f)) != 0) return {{}, Refusal::bad_nan_code};
  return {{set_sign ? code | sign_mask(f) : code, step}};
}

constexpr Attempt encode_overflow(const FormatSpec& f, bool negative, bool toward_zero,
                                  Overflow overflow, const SpecialInputs& special) {
  const std::uint32_t sign = negative ? sign_mask(f) : 0U;
  switch (overflow) {
    case Overflow::satfinite:
      break;
    case Overflow::to_inf:
      if (!f.infinities) return {{}, Refusal::no_infinity};
      if (!toward_zero) return {{infinity_code(f, negative), Step::overflow}};
      break;
    case Overflow::to_nan:
      return encode_nan(f, negative && special.keep_overflow_sign, special, Step::overflow);
  }
  return {{max_finite_code(f) | sign, Step::overflow}};
}

constexpr Step step_of(const GridValue& g) {
  switch (g.remainder) {
    case Remainder::zero:
      return Step::exact;
    case Remainder::half:
      return g.away ? Step::tie_up : Step::tie_down;
    case Remainder::below_half:
    case Remainder::above_half:
      break;
  }
  return g.away ? Step::up : Step::down;
}

// encode without messages, for constant expressions.
constexpr Attempt try_encode(const FormatSpec& f, const Exact& x, const Rounding& rounding,
                             Overflow overflow, const SpecialInputs& special) {
  if (!is_valid(rounding)) return {{}, Refusal::bad_rounding};

  // 1. Classify.
  if (x.is_nan()) {
    return encode_nan(f, x.negative() && special.keep_nan_sign, special, Step::nan);
  }
  if (x.negative() && !x.is_zero() && f.sign_bits == 0) {
    if (!special.negative_by_magnitude) return {{}, Refusal::no_sign};
    return try_encode(f, abs(x), rounding, overflow, special);
  }
  const bool negative = x.negative() && f.sign_bits != 0;
  if (x.is_infinity()) return encode_overflow(f, negative, false, overflow, special);
  if (!has_zero(f) && (x.is_zero() || std::is_lt(compare_magnitude(x, min_positive(f))))) {
    if (!special.tiny_to_smallest) return {{}, Refusal::no_zero};
    return {{0, Step::smallest}};
  }
  const std::uint32_t zero = negative && has_negative_zero(f) ? sign_mask(f) : 0U;
  if (x.is_zero()) return {{zero, Step::exact}};

  // 2. Align and 3. round, on the grid with unbounded exponent.
  const GridValue g = round_to_grid(f, x, rounding);

  // 4. Overflow. In the unbounded grid codes go on counting, so that one comparison decides. The
  // exponent field of g's binade is at least 1 where there are subnormals, and a subnormal has a
  // significand below 2^mantissa_bits, which the sum below turns into field 0.
  const int field = g.exponent + f.mantissa_bits + f.bias;
  const std::uint64_t magnitude = (static_cast<std::uint64_t>(field) << f.mantissa_bits) +
                                  g.significand - (1ULL << f.mantissa_bits);
  if (magnitude > max_finite_code(f)) {
    const bool toward_zero =
        rounding.mode == Round::rtz || rounding.mode == (negative ? Round::rtp : Round::rtn);
    return encode_overflow(f, negative, toward_zero, overflow, special);
  }

  // 5. Pack.
  if (magnitude == 0) return {{zero, step_of(g)}};
  return {{static_cast<std::uint32_t>(magnitude) | (negative ? sign_mask(f) : 0U), step_of(g)}};
}

// The error for a refusal: operation, input, what was expected.
Error refusal_error(const FormatSpec& f, const Exact& x, const Rounding& rounding,
                    Overflow overflow, Refusal refusal);

}  // namespace detail

// The code of x in f and what the rounding did. Correctly rounded, once.
// Errors: not_representable for what f cannot hold and the policies do not settle; invalid_argument
// for random bits wider than stated or given to another mode than rs, or a NaN code wider than f.
[[nodiscard]] inline Result<Encoding> encode_traced(const FormatSpec& f, const Exact& x,
                                                    const Rounding& rounding, Overflow overflow,
                                                    const SpecialInputs& special) {
  const detail::Attempt a = detail::try_encode(f, x, rounding, overflow, special);
  if (a.refusal == detail::Refusal::none) return a.encoding;
  return tl::make_unexpected(detail::refusal_error(f, x, rounding, overflow, a.refusal));
}

// As encode_traced, the code alone.
[[nodiscard]] inline Result<std::uint32_t> encode(const FormatSpec& f, const Exact& x,
                                                  const Rounding& rounding, Overflow overflow,
                                                  const SpecialInputs& special) {
  const detail::Attempt a = detail::try_encode(f, x, rounding, overflow, special);
  if (a.refusal == detail::Refusal::none) return a.encoding.code;
  return tl::make_unexpected(detail::refusal_error(f, x, rounding, overflow, a.refusal));
}

template <Format F>
[[nodiscard]] Result<std::uint32_t> encode(const Exact& x, const Rounding& rounding,
                                           Overflow overflow, const SpecialInputs& special) {
  return encode(F::spec, x, rounding, overflow, special);
}

// The value of f that x rounds to: decode of encode.
[[nodiscard]] inline Result<Exact> round(const FormatSpec& f, const Exact& x,
                                         const Rounding& rounding, Overflow overflow,
                                         const SpecialInputs& special) {
  return encode(f, x, rounding, overflow, special).map([&](std::uint32_t code) {
    return decode(f, code);
  });
}

template <Format F>
[[nodiscard]] Result<Exact> round(const Exact& x, const Rounding& rounding, Overflow overflow,
                                  const SpecialInputs& special) {
  return round(F::spec, x, rounding, overflow, special);
}

namespace detail {

// For policies known never to refuse in F, where a Result would only be unwrapped: satfinite into a
// signed format with a NaN code. A refusal is a broken precondition.
template <Format F>
constexpr std::uint32_t encode_total(const Exact& x, const Rounding& rounding, Overflow overflow,
                                     const SpecialInputs& special) {
  const Attempt a = try_encode(F::spec, x, rounding, overflow, special);
  assert(a.refusal == Refusal::none);
  return a.encoding.code;
}

static_assert(encode_total<e4m3>(Exact::integer(464), Round::rne, Overflow::satfinite, strict) ==
              0x7e);
static_assert(encode_total<e4m3>(Exact::integer(465), Round::rne, Overflow::to_nan, strict) ==
              0x7f);
static_assert(encode_total<e2m1>(Exact::finite(true, 5, 0), Round::rne, Overflow::satfinite,
                                 strict) == 0b1'11'0);

}  // namespace detail

}  // namespace oracle
