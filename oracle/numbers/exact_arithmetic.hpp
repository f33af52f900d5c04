// Products, sums and quotients of exact values, to be rounded once.
//
// A product is exact. A sum or quotient may need more bits than any machine word (2^127 + 2^-127),
// or endlessly many (1/3). Then the function returns a stand-in: a value that lies strictly between
// the same two neighbours as the exact result and therefore rounds to the same code.
//
// The claim. Let s be the exact result. The stand-in lies on the same side as s of every value with
// at most stand_in_bits significant bits, and s is none of these. Every threshold of a rounding is
// such a value: the numbers of a format of p bits, the midpoints (p + 1 bits), and for a stochastic
// rounding with n random bits the points where it changes (p + n bits); subnormals only have fewer
// bits. So both round alike whenever p + max(1, n) <= stand_in_bits; f32 with 32 random bits
// has 56.
//
// The proof, for all functions below. They compute an integer j with 2^60 <= j and an exponent u
// with j * 2^u < |s| < (j + 1) * 2^u, and return (2j + 1) * 2^(u-1). A value of at most 61
// significant bits and of magnitude 2^(60+u) or more is a multiple of 2^u, so none lies inside that
// open interval.
//
// A stand-in has more than max_operand_bits significant bits, so using it as an operand again,
// which would be a double rounding in disguise, breaks a precondition.
#pragma once

#include "oracle/numbers/exact.hpp"

namespace oracle {

inline constexpr int stand_in_bits = 61;
inline constexpr int max_operand_bits = 62;

// x * y, exact. Precondition: together at most 64 significant bits (two f32 have 48). Zero times
// infinity is the positive NaN. A NaN operand gives NaN with the exclusive or of the signs, like
// any other product; IEEE 754 leaves that sign open, and only encodes that keep a NaN's sign show
// it.
constexpr Exact multiply(const Exact& x, const Exact& y) {
  const bool negative = x.negative() != y.negative();
  if (x.is_nan() || y.is_nan()) return Exact::nan(negative);
  if (x.is_infinity() || y.is_infinity()) {
    return x.is_zero() || y.is_zero() ? Exact::nan(false) : Exact::infinity(negative);
  }
  if (x.is_zero() || y.is_zero()) return Exact::zero(negative);
  assert(x.significant_bits() + y.significant_bits() <= 64);
  return Exact::finite(negative, x.significand() * y.significand(), x.exponent() + y.exponent());
}

namespace detail {

// Sum of finite nonzero values with |large| >= |small|, by the proof at the top.
constexpr Exact add_ordered(const Exact& large, const Exact& small) {
  assert(large.significant_bits() <= max_operand_bits);
  assert(small.significant_bits() <= max_operand_bits);
  const bool negative = large.negative();
  const bool opposite = small.negative() != negative;
  const int top = large.log2_floor();
  const int bottom = large.exponent() < small.exponent() ? large.exponent() : small.exponent();
  if (top - bottom <= 62) {  // bits bottom .. top and a carry fit into 64: exact
    const std::uint64_t a = large.significand() << (large.exponent() - bottom);
    const std::uint64_t b = small.significand() << (small.exponent() - bottom);
    return Exact::finite(negative && !(opposite && a == b), opposite ? a - b : a + b, bottom);
  }
  // In units of 2^u the large operand is an integer n, 2^61 <= n < 2^62. Since bottom < top - 62 =
  // u - 1, the small one has bits below the unit: |small| = t units and a fraction, and as it has
  // at most 62 bits, |small| < 2^(bottom+62) <= 2^(top-1) <= |large| / 2. So j is at least n/2 >=
  // 2^60.
  const int u = top - 61;
  const std::uint64_t n = large.significand() << (large.exponent() - u);
  const int below = u - small.exponent();
  const std::uint64_t t = below >= 64 ? 0 : small.significand() >> below;
  const std::uint64_t j = opposite ? n - t - 1 : n + t;
  return Exact::finite(negative, 2 * j + 1, u - 1);
}

}  // namespace detail

// x + y: exact if its bits span at most 63 binary places, else a stand-in. Precondition: at most
// max_operand_bits significant bits each. The sum of opposite infinities is the positive NaN; a NaN
// operand keeps its sign (the first one's). An exact zero sum of opposite values is +0, as IEEE 754
// 6.3 has it in every rounding but toward negative: nothing modelled here adds under that one.
constexpr Exact add(const Exact& x, const Exact& y) {
  if (x.is_nan() || y.is_nan()) return x.is_nan() ? x : y;
  if (x.is_infinity() || y.is_infinity()) {
    if (x.is_infinity() && y.is_infinity() && x.negative() != y.negative()) {
      return Exact::nan(false);
    }
    return x.is_infinity() ? x : y;
  }
  if (x.is_zero() && y.is_zero()) return Exact::zero(x.negative() && y.negative());
  if (x.is_zero() || y.is_zero()) return x.is_zero() ? y : x;
  return std::is_lt(compare_magnitude(x, y)) ? detail::add_ordered(y, x)
                                             : detail::add_ordered(x, y);
}

constexpr Exact subtract(const Exact& x, const Exact& y) { return add(x, negate(y)); }

// x / y: exact if the quotient has at most 62 bits, else a stand-in. Precondition: at most
// max_operand_bits significant bits each. x/0 is an infinity, 0/0 and inf/inf the positive NaN.
constexpr Exact divide(const Exact& x, const Exact& y) {
  const bool negative = x.negative() != y.negative();
  if (x.is_nan() || y.is_nan()) return Exact::nan(negative);
  if ((x.is_zero() && y.is_zero()) || (x.is_infinity() && y.is_infinity())) {
    return Exact::nan(false);
  }
  if (x.is_infinity() || y.is_zero()) return Exact::infinity(negative);
  if (x.is_zero() || y.is_infinity()) return Exact::zero(negative);
  assert(x.significant_bits() <= max_operand_bits && y.significant_bits() <= max_operand_bits);
  // Long division of significands brought to the same length, so that x < 2 * y and the first or
  // second quotient bit is a one; it stops when the quotient has 62 bits.
  const int length =
      x.significant_bits() > y.significant_bits() ? x.significant_bits() : y.significant_bits();
  std::uint64_t remainder = x.significand() << (length - x.significant_bits());
  const std::uint64_t divisor = y.significand() << (length - y.significant_bits());
  int exponent = (x.exponent() - (length - x.significant_bits())) -
                 (y.exponent() - (length - y.significant_bits()));
  std::uint64_t quotient = 0;
  while (true) {
    if (remainder >= divisor) {
      remainder -= divisor;
      quotient |= 1;
    }
    if (remainder == 0 || (quotient >> 61) != 0) break;
    quotient <<= 1;
    remainder <<= 1;
    --exponent;
  }
  return remainder == 0 ? Exact::finite(negative, quotient, exponent)
                        : Exact::finite(negative, 2 * quotient + 1, exponent - 1);
}

}  // namespace oracle
