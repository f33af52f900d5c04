// Exact value to representable value. A format is seen as a grid: in each binade the numbers lie
// one step apart, below the smallest normal the step stays the same, and above the largest finite
// value the grid goes on as if the exponent were unbounded, as IEEE 754 4.3 has it. What to do with
// a result outside the range is encode.hpp's business.
//
// Modes: IEEE 754 4.3 (rne, rna, rtz, rtp, rtn) and stochastic (rs), which takes its random bits as
// an argument. There is no default mode.
#pragma once

#include <cstdint>

#include "oracle/numbers/format_spec.hpp"

namespace oracle {

enum class Round : std::uint8_t {
  rne,  // to nearest, ties to the even code; in a format without mantissa bits, where no
        // neighbour is even, to the larger magnitude (IEEE 754 4.3.1)
  rna,  // to nearest, ties away from zero
  rtz,  // toward zero
  rtp,  // toward positive
  rtn,  // toward negative
  rs,   // stochastic, see RandomBits
};

// `width` random bits, the integer `bits` < 2^width. With them a value whose fraction between its
// neighbours in magnitude is f rounds away from zero if f * 2^width + bits >= 2^width: what
// hardware does that adds the bits below the last kept place and truncates. Values of the format
// stay.
struct RandomBits {
  std::uint32_t bits = 0;
  int width = 0;  // 1 .. 32
};

// A mode with what it needs. A deterministic mode converts to it; `rs` is made by stochastic().
struct Rounding {
  Round mode;
  RandomBits random{};

  constexpr Rounding(Round m) : mode(m) {}  // NOLINT: a mode is meant to be a Rounding
  constexpr Rounding(Round m, RandomBits r) : mode(m), random(r) {}
};
constexpr Rounding stochastic(RandomBits random) { return {Round::rs, random}; }

// Where the exact magnitude lies between its neighbours in the grid.
enum class Remainder : std::uint8_t { zero, below_half, half, above_half };

// A magnitude on the grid, significand * 2^exponent, and how it was reached.
struct GridValue {
  std::uint64_t significand;  // in steps; a carry may have made it 2^precision
  int exponent;               // of the step
  Remainder remainder;        // before rounding
  bool away;                  // rounded away from zero
};

// True if the mode is well formed: random bits for rs alone, and no more of them than it says.
constexpr bool is_valid(const Rounding& r) {
  if (r.mode != Round::rs) return r.random.width == 0;
  return r.random.width >= 1 && r.random.width <= 32 &&
         (std::uint64_t{r.random.bits} >> r.random.width) == 0;
}

namespace detail {

// The integer part of x / 2^step, the remainder's class, and the first 32 bits of the fraction.
struct Aligned {
  std::uint64_t integer;
  Remainder remainder;
  std::uint64_t fraction32;
};

constexpr Aligned align(const Exact& x, int step) {
  const int below = step - x.exponent();  // significand bits below the unit
  if (below <= 0) return {x.significand() << -below, Remainder::zero, 0};
  if (below > 64) {
    // The significand has at most 64 bits: the value is below half, and its fraction's first bits
    // are the significand's own, as far as they reach.
    const int shift = below - 32;
    return {0, Remainder::below_half, shift >= 64 ? 0 : x.significand() >> shift};
  }
  const std::uint64_t integer = below == 64 ? 0 : x.significand() >> below;
  const std::uint64_t fraction = x.significand() << (64 - below);  // highest bit is one half
  constexpr std::uint64_t half = 1ULL << 63;
  const Remainder remainder = fraction == half  ? Remainder::half
                              : fraction > half ? Remainder::above_half
                                                : Remainder::below_half;
  return {integer, remainder, fraction >> 32};
}

constexpr bool rounds_away(const Rounding& r, bool negative, bool odd, const Aligned& a) {
  switch (r.mode) {
    case Round::rne:
      return a.remainder == Remainder::above_half || (a.remainder == Remainder::half && odd);
    case Round::rna:
      return a.remainder == Remainder::above_half || a.remainder == Remainder::half;
    case Round::rtz:
      return false;
    case Round::rtp:
      return !negative;
    case Round::rtn:
      return negative;
    case Round::rs:
      break;
  }
  // f * 2^w + bits >= 2^w with an integer `bits` holds for f exactly if it holds for f cut to w
  // bits.
  const std::uint64_t fraction = a.fraction32 >> (32 - r.random.width);
  return fraction + r.random.bits >= (1ULL << r.random.width);
}

}  // namespace detail

// The magnitude of a finite nonzero x, rounded to the unbounded grid of f. Correctly rounded in
// every mode. Preconditions: is_valid(rounding).
constexpr GridValue round_to_grid(const FormatSpec& f, const Exact& x, const Rounding& rounding) {
  assert(x.is_finite_nonzero() && is_valid(rounding));
  const int binade = x.log2_floor() > min_exponent(f) ? x.log2_floor() : min_exponent(f);
  const int step = binade - f.mantissa_bits;
  const detail::Aligned a = detail::align(x, step);
  const bool away = a.remainder != Remainder::zero &&
                    detail::rounds_away(rounding, x.negative(), (a.integer & 1) != 0, a);
  return {a.integer + (away ? 1 : 0), step, a.remainder, away};
}

}  // namespace oracle
