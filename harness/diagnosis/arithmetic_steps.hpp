// Steps of a right decoder, of which a fault model changes one. Only for the sources of
// arithmetic_models.hpp.
#pragma once

#include "harness/diagnosis/arithmetic_models.hpp"
#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/pages/product.hpp"

namespace harness::arithmetic {

using oracle::Dtype;
using oracle::Exact;
using oracle::FormatSpec;
using oracle::Overflow;
using oracle::Round;
using Setting = ArithmeticSetting;

inline Exact element_of(std::uint8_t code) { return oracle::decode<oracle::e2m1>(code); }

inline Exact factor_of(const Setting& s, std::uint8_t scale) {
  return oracle::scale_value(s.format, scale, *s.profile);
}

inline const oracle::FormatSpec& spec_of(const Setting& s) {
  return oracle::destination_format(s.destination, *s.profile);
}

inline std::uint32_t sign_bit(const Setting& s, bool negative) {
  return negative ? oracle::sign_mask(spec_of(s)) : 0U;
}

// Zero of a sign, where the format has one: the sign bit alone is NaN in FNUZ formats.
inline std::uint32_t zero_of(const Setting& s, bool negative) {
  return oracle::has_negative_zero(spec_of(s)) ? sign_bit(s, negative) : 0U;
}

inline std::uint32_t max_code(const Setting& s, bool negative) {
  return oracle::max_finite_code(spec_of(s)) | sign_bit(s, negative);
}

inline std::uint32_t nan_of(const Setting& s) {
  switch (s.destination) {
    case Dtype::bf16:
      return s.profile->nan.bf16;
    case Dtype::f16:
      return s.profile->nan.f16;
    case Dtype::f32:
      return s.profile->nan.f32;
    default:
      return s.profile->nan.e4m3;
  }
}

inline oracle::Encoding trace(const Setting& s, const Exact& value, Round round = Round::rne) {
  const Overflow overflow = s.destination == Dtype::e4m3 ? Overflow::satfinite : Overflow::to_inf;
  oracle::SpecialInputs special;
  special.nan_code = nan_of(s);
  return oracle::encode_traced(spec_of(s), value, round, overflow, special)
      .value_or(oracle::Encoding{});
}

inline std::uint32_t encode(const Setting& s, const Exact& value, Round round = Round::rne) {
  return trace(s, value, round).code;
}

inline std::uint32_t right(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return oracle::decode_element(s.format, code, scale, s.destination, *s.profile);
}

inline Exact product_of(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return oracle::multiply(element_of(code), factor_of(s, scale));
}

inline bool below_power(const Exact& value, int exponent) {
  return value.is_zero() || (value.is_finite_nonzero() && value.log2_floor() < exponent);
}

inline bool always(const Setting& /*s*/) { return true; }
inline bool to_e4m3(const Setting& s) { return s.destination == Dtype::e4m3; }
inline bool from_e4m3(const Setting& s) { return s.format == oracle::e4m3::spec; }
inline bool from_e8m0(const Setting& s) { return s.format == oracle::e8m0::spec; }
inline bool e8m0_to_e4m3(const Setting& s) { return from_e8m0(s) && to_e4m3(s); }
// Into a destination whose subnormals are not those of f32.
inline bool to_own_subnormals(const Setting& s) {
  return to_e4m3(s) || s.destination == Dtype::f16;
}
inline bool to_wide(const Setting& s) { return !to_e4m3(s); }
inline bool e8m0_to_wide(const Setting& s) { return from_e8m0(s) && !to_e4m3(s); }

// A fault of pairs of code and scale, in a table that is made when the program is.
struct PairFault {
  std::string_view fault_class;
  std::string_view variant;
  bool (*applies)(const ArithmeticSetting& setting);
  std::uint32_t (*result)(const ArithmeticSetting& setting, std::uint8_t code, std::uint8_t scale);
};

// What the faults of one source are.
std::span<const PairFault> sign_faults();
std::span<const PairFault> element_faults();
std::span<const PairFault> scale_faults();

}  // namespace harness::arithmetic
