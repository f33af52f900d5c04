// An exact value: a sign, an integer significand and a power of two; or zero, infinity, NaN.
// Nothing here uses the host's floating point. Arithmetic on values is in exact_arithmetic.hpp.
//
// Zero, infinity and NaN carry a sign. Comparison is numeric: -0 equals +0 and a NaN is unordered;
// `identical` also tells signs of zero and NaN apart. NaN payloads are not modelled.
#pragma once

#include <bit>
#include <cassert>
#include <compare>
#include <cstdint>

namespace oracle {

class Exact {
 public:
  enum class Kind : std::uint8_t { zero, finite, infinity, nan };

  // The value zero with sign plus.
  constexpr Exact() = default;

  // (-1)^negative * significand * 2^exponent; a significand of 0 gives the zero of that sign. The
  // representation is unique: trailing zero bits of the significand move into the exponent.
  static constexpr Exact finite(bool negative, std::uint64_t significand, int exponent) {
    if (significand == 0) return zero(negative);
    const int shift = std::countr_zero(significand);
    return {Kind::finite, negative, significand >> shift, exponent + shift};
  }
  static constexpr Exact zero(bool negative) { return {Kind::zero, negative, 0, 0}; }
  static constexpr Exact infinity(bool negative) { return {Kind::infinity, negative, 0, 0}; }
  static constexpr Exact nan(bool negative) { return {Kind::nan, negative, 0, 0}; }
  static constexpr Exact power_of_two(int exponent) { return finite(false, 1, exponent); }
  static constexpr Exact integer(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return finite(value < 0, value < 0 ? 0 - bits : bits, 0);
  }

  constexpr Kind kind() const { return kind_; }
  constexpr bool negative() const { return negative_; }
  constexpr bool is_zero() const { return kind_ == Kind::zero; }
  constexpr bool is_infinity() const { return kind_ == Kind::infinity; }
  constexpr bool is_nan() const { return kind_ == Kind::nan; }
  constexpr bool is_finite_nonzero() const { return kind_ == Kind::finite; }

  // Odd for a finite nonzero value; 0 otherwise.
  constexpr std::uint64_t significand() const { return significand_; }
  constexpr int exponent() const { return exponent_; }

  // Bits from the leading one to the last one of a finite nonzero value.
  constexpr int significant_bits() const { return 64 - std::countl_zero(significand_); }

  // floor(log2(|x|)) of a finite nonzero value.
  constexpr int log2_floor() const {
    assert(is_finite_nonzero());
    return exponent_ + significant_bits() - 1;
  }

  friend constexpr bool identical(const Exact& x, const Exact& y) {
    return x.kind_ == y.kind_ && x.negative_ == y.negative_ && x.significand_ == y.significand_ &&
           x.exponent_ == y.exponent_;
  }

 private:
  constexpr Exact(Kind kind, bool negative, std::uint64_t significand, int exponent)
      : kind_(kind), negative_(negative), significand_(significand), exponent_(exponent) {}

  Kind kind_ = Kind::zero;
  bool negative_ = false;
  std::uint64_t significand_ = 0;
  int exponent_ = 0;
};

constexpr Exact with_sign(const Exact& x, bool negative) {
  switch (x.kind()) {
    case Exact::Kind::zero:
      return Exact::zero(negative);
    case Exact::Kind::infinity:
      return Exact::infinity(negative);
    case Exact::Kind::nan:
      return Exact::nan(negative);
    case Exact::Kind::finite:
      break;
  }
  return Exact::finite(negative, x.significand(), x.exponent());
}
constexpr Exact abs(const Exact& x) { return with_sign(x, false); }
constexpr Exact negate(const Exact& x) { return with_sign(x, !x.negative()); }

// |x| against |y|, neither a NaN.
constexpr std::strong_ordering compare_magnitude(const Exact& x, const Exact& y) {
  assert(!x.is_nan() && !y.is_nan());
  if (x.kind() != y.kind() || !x.is_finite_nonzero()) return x.kind() <=> y.kind();
  if (x.log2_floor() != y.log2_floor()) return x.log2_floor() <=> y.log2_floor();
  // Both lie in one binade, so leading ones moved to bit 63 line the significands up.
  return (x.significand() << std::countl_zero(x.significand())) <=>
         (y.significand() << std::countl_zero(y.significand()));
}

constexpr std::partial_ordering operator<=>(const Exact& x, const Exact& y) {
  if (x.is_nan() || y.is_nan()) return std::partial_ordering::unordered;
  if (x.is_zero() && y.is_zero()) return std::partial_ordering::equivalent;
  const bool x_below = x.negative() && !x.is_zero();
  const bool y_below = y.negative() && !y.is_zero();
  if (x_below != y_below) {
    return x_below ? std::partial_ordering::less : std::partial_ordering::greater;
  }
  return x_below ? compare_magnitude(y, x) : compare_magnitude(x, y);
}
constexpr bool operator==(const Exact& x, const Exact& y) {
  return (x <=> y) == std::partial_ordering::equivalent;
}

// x * 2^power, exact.
constexpr Exact scale_by_power_of_two(const Exact& x, int power) {
  return x.is_finite_nonzero() ? Exact::finite(x.negative(), x.significand(), x.exponent() + power)
                               : x;
}

}  // namespace oracle
