// Number formats of PTX as data, and exact values between them. This room's own: it shares nothing
// with the oracle, which judges what comes out.
#pragma once

#include <cstdint>

namespace ptx::arithmetic {

__extension__ typedef unsigned __int128 Wide;  // pedantic C++ has no name for it

// What the codes with an exponent of all ones mean.
enum class Top : std::uint8_t {
  ieee,     // infinities and NaN
  one_nan,  // the code of all ones is NaN, the others are numbers: e4m3
  finite,   // all are numbers: e2m1, e2m3, e3m2
};

struct Format {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Top top;
  std::uint32_t nan;  // the canonical one

  [[nodiscard]] constexpr std::uint32_t sign_bit() const {
    return 1U << (exponent_bits + mantissa_bits);
  }
  [[nodiscard]] constexpr std::uint32_t magnitude_mask() const { return sign_bit() - 1; }
  // The magnitude of the largest finite number.
  [[nodiscard]] constexpr std::uint32_t largest() const {
    const std::uint32_t ones = magnitude_mask();
    if (top == Top::finite) return ones;
    if (top == Top::one_nan) return ones - 1;
    return (((1U << exponent_bits) - 1) << mantissa_bits) - 1;
  }
  [[nodiscard]] constexpr std::uint32_t infinity() const {
    return largest() + 1;
  }                                                                        // where top is ieee
  [[nodiscard]] constexpr int least_exponent() const { return 1 - bias; }  // of normal numbers
};

inline constexpr Format f32{8, 23, 127, Top::ieee, 0x7fffffff};
inline constexpr Format f16{5, 10, 15, Top::ieee, 0x7fff};
inline constexpr Format bf16{8, 7, 127, Top::ieee, 0x7fff};
inline constexpr Format e4m3{4, 3, 7, Top::one_nan, 0x7f};
inline constexpr Format e5m2{5, 2, 15, Top::ieee, 0x7f};
inline constexpr Format e2m1{2, 1, 1, Top::finite, 0};
inline constexpr Format e2m3{2, 3, 1, Top::finite, 0};
inline constexpr Format e3m2{3, 2, 3, Top::finite, 0};
static_assert(e4m3.largest() == 0x7e && e5m2.largest() == 0x7b && f16.infinity() == 0x7c00);
static_assert(f32.infinity() == 0x7f800000 && bf16.infinity() == 0x7f80);

// A number without loss: significand * 2^exponent, negative or not; or infinity; or NaN.
struct Exact {
  enum class Kind : std::uint8_t { number, infinity, nan };

  Kind kind{Kind::number};
  bool negative{};
  Wide significand{};  // 0 is zero, which has a sign
  int exponent{};

  [[nodiscard]] constexpr bool zero() const { return kind == Kind::number && significand == 0; }
};

constexpr Exact nan() { return {.kind = Exact::Kind::nan}; }

constexpr Exact unpack(const Format& format, std::uint32_t code) {
  Exact value;
  value.negative = (code & format.sign_bit()) != 0;
  const std::uint32_t magnitude = code & format.magnitude_mask();
  if (format.top != Top::finite && magnitude > format.largest()) {
    value.kind = format.top == Top::ieee && magnitude == format.infinity() ? Exact::Kind::infinity
                                                                           : Exact::Kind::nan;
    return value;
  }
  const auto exponent = static_cast<int>(magnitude >> format.mantissa_bits);
  std::uint32_t significand = magnitude & ((1U << format.mantissa_bits) - 1);
  if (exponent != 0) significand |= 1U << format.mantissa_bits;
  value.significand = significand;
  value.exponent = (exponent == 0 ? 1 : exponent) - format.bias - format.mantissa_bits;
  return value;
}

// UE8M0: 2^(code - 127), ff is NaN; no zero, no sign.
constexpr Exact unpack_ue8m0(std::uint32_t code) {
  if (code == 0xff) return nan();
  return {.significand = 1, .exponent = static_cast<int>(code) - 127};
}

}  // namespace ptx::arithmetic
