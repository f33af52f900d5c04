// IEEE 754 binary32 operations on bits, as kernels perform them: each result correctly rounded
// once, subnormals kept. Computed on integers through Exact, never by the host's floating point.
#pragma once

#include <cassert>
#include <cstdint>

#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/dtype.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/numbers/formats.hpp"

namespace oracle::ieee {

inline constexpr std::uint32_t f32_infinity = 0x7f800000;
inline constexpr std::uint32_t f32_one = 0x3f800000;
inline constexpr std::uint32_t f32_six = 0x40c00000;
inline constexpr std::uint32_t f32_one_sixth = 0x3e2aaaab;  // RN(1/6)

constexpr bool is_nan(std::uint32_t bits) { return (bits & 0x7fffffffU) > f32_infinity; }
constexpr bool is_negative(std::uint32_t bits) { return (bits >> 31) != 0; }
constexpr std::uint32_t magnitude(std::uint32_t bits) { return bits & 0x7fffffffU; }
constexpr std::uint32_t exponent_field(std::uint32_t bits) { return (bits >> 23) & 0xffU; }
constexpr std::uint32_t mantissa_field(std::uint32_t bits) { return bits & 0x7fffffU; }

constexpr std::uint32_t rounded(const Exact& value, Round mode) {
  return detail::encode_total<f32>(value, mode, Overflow::to_inf, strict);
}

// x * y and x / y, rounded by `mode` (rne or rtz).
constexpr std::uint32_t multiply(std::uint32_t x, std::uint32_t y, Round mode) {
  return rounded(oracle::multiply(decode<f32>(x), decode<f32>(y)), mode);
}
constexpr std::uint32_t divide(std::uint32_t x, std::uint32_t y, Round mode) {
  return rounded(oracle::divide(decode<f32>(x), decode<f32>(y)), mode);
}

static_assert(divide(f32_one, f32_six, Round::rne) == f32_one_sixth);
static_assert(multiply(0x3fc00000, 0x40000000, Round::rne) == 0x40400000);  // 1.5 * 2 = 3

// The f32 of a f32, f16 or bf16 code. Exact; a NaN keeps its sign and is quiet.
constexpr std::uint32_t widen(std::uint32_t code, Dtype from) {
  assert(from == Dtype::f32 || from == Dtype::f16 || from == Dtype::bf16);
  if (from == Dtype::f32) return code;
  const Exact value = from == Dtype::f16 ? decode<f16>(code) : decode<bf16>(code);
  if (value.is_nan()) return value.negative() ? 0xffc00000U : 0x7fc00000U;
  return rounded(value, Round::rne);
}

static_assert(widen(0x3c00, Dtype::f16) == f32_one && widen(0x3f80, Dtype::bf16) == f32_one);
static_assert(widen(0x0001, Dtype::f16) == 0x33800000);  // 2^-24
static_assert(widen(0x0001, Dtype::bf16) == 0x00010000);

}  // namespace oracle::ieee
