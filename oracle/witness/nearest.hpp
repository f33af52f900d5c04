// A second opinion on rounding, simpler than the oracle and sharing nothing with it: a value is one
// long integer, and the right code is found by looking for it among the codes. Slow, and meant to
// be obviously right. Follows the same documents: OCP MX v1.0, OCP OFP8 v1.0, IEEE 754-2019 4.3
// and 7.4.
#pragma once

#include <cstdint>
#include <optional>

#include "oracle/witness/fixed.hpp"

namespace witness {

enum class Format { e2m1, e2m3, e3m2, e4m3, e4m3fnuz, e5m2, ue4m3, ue5m3, e8m0, f32, f16, bf16 };

// Nearest with ties to the even code (to the larger value in e8m0, whose codes are powers of two),
// nearest with ties away from zero, toward zero, toward positive, toward negative.
enum class Mode { nearest_even, nearest_away, zero, positive, negative };

// What a result beyond the largest finite value becomes.
enum class Beyond { saturates, infinity, nan };

struct Number {
  enum class Kind { finite, infinite, nan } kind = Kind::finite;
  bool negative = false;
  Fixed magnitude;  // of a finite number
};

// The number that a code stands for. The sign of a NaN is not told.
Number number_of(Format format, std::uint32_t code);

// The code nearest to x in that mode, or nothing where the format has no answer: a NaN without a
// code for it, a negative value without a sign, infinity asked for without one, zero or less than
// the smallest value of e8m0. A NaN is the positive one with the highest mantissa bit set.
std::optional<std::uint32_t> nearest(Format format, const Number& x, Mode mode, Beyond beyond);

// e2m1 times e4m3 and e2m1 times e8m0, from tables of halves and by counting.
Number product_e2m1_e4m3(std::uint32_t code, std::uint32_t scale);
Number product_e2m1_e8m0(std::uint32_t code, std::uint32_t scale);

}  // namespace witness
