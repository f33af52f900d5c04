// What the oracle's tests share: the list of formats as types with names, their values, the inputs
// at which a rounding can go wrong, and the translation into the witness's words.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "oracle/numbers/describe.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/witness/nearest.hpp"

namespace oracle {

inline void PrintTo(const Exact& x, std::ostream* out) {
  *out << exact_decimal(x) << " = " << exact_dyadic(x);
}

namespace testing_support {

template <class List>
struct TypesOf;
template <class... Format>
struct TypesOf<FormatList<Format...>> {
  using Types = ::testing::Types<Format...>;
};
// A format that is in the list is tested.
using AllFormats = TypesOf<oracle::AllFormats>::Types;

struct FormatName {
  template <class F>
  static std::string GetName(int /*index*/) {
    return std::string(F::spec.name);
  }
};

inline constexpr std::array deterministic_modes{Round::rne, Round::rna, Round::rtz, Round::rtp,
                                                Round::rtn};
inline constexpr std::array overflows{Overflow::satfinite, Overflow::to_inf, Overflow::to_nan};

inline witness::Format witness_format(const FormatSpec& f) {
  using W = witness::Format;
  constexpr std::array formats{W::e2m1,  W::e2m3,  W::e3m2, W::e4m3, W::e4m3fnuz, W::e5m2,
                               W::ue4m3, W::ue5m3, W::e8m0, W::f32,  W::f16,      W::bf16};
  static_assert(formats.size() == all_formats.size(), "each format has its witness");
  for (std::size_t i = 0; i < all_formats.size(); ++i) {
    if (all_formats[i].name == f.name) return formats[i];
  }
  throw std::logic_error("no witness format for " + std::string(f.name));
}

inline witness::Mode witness_mode(Round mode) {
  switch (mode) {
    case Round::rne:
      return witness::Mode::nearest_even;
    case Round::rna:
      return witness::Mode::nearest_away;
    case Round::rtz:
      return witness::Mode::zero;
    case Round::rtp:
      return witness::Mode::positive;
    case Round::rtn:
      return witness::Mode::negative;
    case Round::rs:
      break;
  }
  throw std::logic_error("the witness has no stochastic rounding");
}

inline witness::Beyond witness_beyond(Overflow overflow) {
  switch (overflow) {
    case Overflow::satfinite:
      return witness::Beyond::saturates;
    case Overflow::to_inf:
      return witness::Beyond::infinity;
    case Overflow::to_nan:
      break;
  }
  return witness::Beyond::nan;
}

inline witness::Number witness_number(const Exact& x) {
  witness::Number n;
  n.negative = x.negative();
  if (x.is_nan()) n.kind = witness::Number::Kind::nan;
  if (x.is_infinity()) n.kind = witness::Number::Kind::infinite;
  if (x.is_finite_nonzero()) n.magnitude = witness::Fixed(x.significand(), x.exponent());
  return n;
}

// Positive finite codes: all of them up to 16 bits; of f32 those at the ends of every binade and a
// spread in between.
inline std::vector<std::uint32_t> positive_codes(const FormatSpec& f) {
  std::vector<std::uint32_t> codes;
  if (code_bits(f) <= 16) {
    for (std::uint32_t code = 0; code <= max_finite_code(f); ++code) codes.push_back(code);
    return codes;
  }
  for (std::uint32_t field = 0; field < (1U << f.exponent_bits) - 1; ++field) {
    const std::uint32_t base = field << f.mantissa_bits;
    for (const std::uint32_t m : {0U, 1U, 2U, 0x155555U, 0x2aaaabU, 0x3fffffU, 0x400000U, 0x400001U,
                                  0x5a5a5aU, mantissa_mask(f) - 1, mantissa_mask(f)}) {
      codes.push_back(base | m);
    }
  }
  return codes;
}

// The value that follows that of `code`; after the largest finite one the grid goes on.
inline Exact next_value(const FormatSpec& f, std::uint32_t code) {
  if (code < max_finite_code(f)) return decode(f, code + 1);
  return add(max_finite(f), Exact::power_of_two(max_exponent(f) - f.mantissa_bits));
}

// Between the value of `code` and the next one: itself, just above it, just below the midpoint, the
// midpoint, just above it, just below the next value. "Just" is 2^-30 of the distance.
inline std::vector<Exact> inputs_after(const FormatSpec& f, std::uint32_t code) {
  const Exact low = decode(f, code);
  const Exact step = subtract(next_value(f, code), low);
  const auto at = [&](std::uint64_t fraction_of_2_30) {
    return add(low, multiply(step, Exact::finite(false, fraction_of_2_30, -30)));
  };
  constexpr std::uint64_t half = 1ULL << 29;
  return {low, at(1), at(half - 1), at(half), at(half + 1), at(2 * half - 1)};
}

}  // namespace testing_support
}  // namespace oracle
