// One lane of floating-point arithmetic on codes, by exact values; and the same by the host where
// that is faster and rounds alike (tests compare the two).
#pragma once

#include <bit>
#include <cstdint>

#include "ptx/arithmetic/operations.hpp"

namespace ptx::arithmetic {

enum class Op : std::uint8_t { add, sub, mul, div };

constexpr Exact take(const Format& format, std::uint32_t code, bool flush) {
  return flush ? without_subnormal(format, code) : unpack(format, code);
}

template <Op Operation, Packing P>
constexpr std::uint32_t two(const Format& format, std::uint32_t a, std::uint32_t b) {
  const Exact x = take(format, a, P.flush);
  const Exact y = take(format, b, P.flush);
  switch (Operation) {
    case Op::add:
      return pack(format, sum(x, y, P.round), P);
    case Op::sub:
      return pack(format, sum(x, negated(y), P.round), P);
    case Op::mul:
      return pack(format, product(x, y), P);
    case Op::div:
      break;
  }
  return pack(format, quotient(x, y), P);
}

// One rounding, of a * b + c.
template <Packing P>
constexpr std::uint32_t fused(const Format& format, std::uint32_t a, std::uint32_t b,
                              std::uint32_t c) {
  const Exact x = take(format, a, P.flush);
  const Exact y = take(format, b, P.flush);
  const Exact z = take(format, c, P.flush);
  return pack(format, sum(product(x, y), z, P.round), P);
}

enum class Extreme : std::uint8_t { least, greatest };

// A NaN loses unless `nan_wins`; -0 is below +0.
template <Extreme Which, bool NanWins, bool Flush>
constexpr std::uint32_t extreme(const Format& format, std::uint32_t a, std::uint32_t b) {
  const auto flushed = [&](std::uint32_t code) {
    const bool subnormal = ((code & format.magnitude_mask()) >> format.mantissa_bits) == 0;
    return Flush && subnormal ? code & format.sign_bit() : code;
  };
  const auto is_nan = [&](std::uint32_t code) {
    return (code & format.magnitude_mask()) > format.infinity();
  };
  const std::uint32_t x = flushed(a);
  const std::uint32_t y = flushed(b);
  if (is_nan(x) || is_nan(y)) {
    if (NanWins || (is_nan(x) && is_nan(y))) return format.nan;
    return is_nan(x) ? y : x;
  }
  // Codes in the order of their values.
  const auto rank = [&](std::uint32_t code) {
    const auto magnitude = static_cast<std::int64_t>(code & format.magnitude_mask());
    return (code & format.sign_bit()) != 0 ? -magnitude - 1 : magnitude;
  };
  return (rank(x) < rank(y)) == (Which == Extreme::least) ? x : y;
}

// The same of f32, without branches.
template <Extreme Which, bool NanWins>
constexpr std::uint32_t extreme_f32(std::uint32_t a, std::uint32_t b) {
  const auto rank = [](std::uint32_t code) {
    const auto signed_code = static_cast<std::int32_t>(code);
    return signed_code ^ ((signed_code >> 31) & 0x7fff'ffff);
  };
  const bool nan_a = (a & 0x7fff'ffffU) > 0x7f80'0000U;
  const bool nan_b = (b & 0x7fff'ffffU) > 0x7f80'0000U;
  const bool first = (rank(a) < rank(b)) == (Which == Extreme::least);
  const std::uint32_t chosen = first ? a : b;
  if (NanWins) return nan_a || nan_b ? f32.nan : chosen;
  const std::uint32_t other = nan_a ? (nan_b ? f32.nan : b) : a;
  return nan_a || nan_b ? other : chosen;
}

constexpr std::uint32_t sign_changed(const Format& format, std::uint32_t code, bool absolute,
                                     bool flush) {
  const std::uint32_t magnitude = code & format.magnitude_mask();
  if (magnitude > format.infinity()) return format.nan;
  const std::uint32_t sign = absolute ? 0 : (code & format.sign_bit()) ^ format.sign_bit();
  return flush && (magnitude >> format.mantissa_bits) == 0 ? sign : sign | magnitude;
}

// f32 to nearest even by the host, which has the same format; NaN becomes the canonical one.
inline std::uint32_t canonical(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits & 0x7fff'ffffU) > 0x7f80'0000U ? f32.nan : bits;
}
inline float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }

inline std::uint32_t add_f32(std::uint32_t a, std::uint32_t b) {
  return canonical(as_float(a) + as_float(b));
}
inline std::uint32_t sub_f32(std::uint32_t a, std::uint32_t b) {
  return canonical(as_float(a) - as_float(b));
}
inline std::uint32_t mul_f32(std::uint32_t a, std::uint32_t b) {
  return canonical(as_float(a) * as_float(b));
}

}  // namespace ptx::arithmetic
