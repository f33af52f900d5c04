// Faults of the output's encoding: rounding, overflow, zero, NaN (docs/faults.md groups A and X).
#include <array>

#include "harness/diagnosis/arithmetic_steps.hpp"

namespace harness::arithmetic {
namespace {

std::uint32_t top_binade_saturates(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const std::uint32_t r = right(s, code, scale);
  const oracle::FormatSpec& f = spec_of(s);
  const bool top = (r & oracle::exponent_mask(f)) == oracle::exponent_mask(f);
  return top && !oracle::is_nan(f, r) ? max_code(s, oracle::is_negative(f, r)) : r;
}

template <bool keep_sign>
std::uint32_t overflow_to_nan(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const Exact product = product_of(s, code, scale);
  const oracle::Encoding e = trace(s, product);
  if (e.step != oracle::Step::overflow) return right(s, code, scale);
  return nan_of(s) | sign_bit(s, keep_sign && product.negative());
}

std::uint32_t overflow_saturates(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const Exact product = product_of(s, code, scale);
  const bool overflows = trace(s, product).step == oracle::Step::overflow;
  return overflows ? max_code(s, product.negative()) : right(s, code, scale);
}

template <Round round>
std::uint32_t rounds(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return encode(s, product_of(s, code, scale), round);
}

std::uint32_t ties_toward_zero(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const oracle::Encoding e = trace(s, product_of(s, code, scale));
  if (e.step != oracle::Step::tie_up) return e.code;
  const std::uint32_t toward_zero = e.code - 1;
  return toward_zero == oracle::sign_mask(spec_of(s)) ? zero_of(s, true) : toward_zero;
}

std::uint32_t rounds_away(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const oracle::Encoding e = trace(s, product_of(s, code, scale));
  return e.step == oracle::Step::down || e.step == oracle::Step::tie_down ? e.code + 1 : e.code;
}

// Before rounding, so that what rounds up to the smallest normal vanishes as well.
std::uint32_t small_product_flushed(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const Exact product = product_of(s, code, scale);
  if (below_power(product, oracle::min_exponent(spec_of(s)))) {
    return zero_of(s, product.negative());
  }
  return right(s, code, scale);
}

template <bool keep_sign>
std::uint32_t subnormal_result_flushed(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const std::uint32_t r = right(s, code, scale);
  const oracle::FormatSpec& f = spec_of(s);
  const bool subnormal = (r & oracle::exponent_mask(f)) == 0 && !oracle::is_nan(f, r);
  return subnormal ? zero_of(s, keep_sign && oracle::is_negative(f, r)) : r;
}

template <int power>
std::uint32_t subnormal_quantum(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const Exact product = product_of(s, code, scale);
  if (!product.is_finite_nonzero()) return right(s, code, scale);
  if (!below_power(product, oracle::min_exponent(spec_of(s)))) return right(s, code, scale);
  return encode(s, oracle::scale_by_power_of_two(product, power));
}

// The rounded result, shifted once more.
std::uint32_t subnormal_result_halved(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const std::uint32_t r = right(s, code, scale);
  const oracle::FormatSpec& f = spec_of(s);
  if ((r & oracle::exponent_mask(f)) != 0 || oracle::is_nan(f, r)) return r;
  const std::uint32_t halved = (r & oracle::magnitude_mask(f)) >> 1;
  const bool negative = oracle::is_negative(f, r);
  return halved == 0 ? zero_of(s, negative) : halved | sign_bit(s, negative);
}

std::uint32_t negative_zero_lost(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const std::uint32_t r = right(s, code, scale);
  return r == oracle::sign_mask(spec_of(s)) && !oracle::is_nan(spec_of(s), r) ? 0 : r;
}

std::uint32_t negative_zero_element_lost(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return right(s, code == 8 ? 0 : code, scale);
}

enum class Bound { lower, upper, by_scale_sign };
template <Bound bound>
std::uint32_t nan_clamped(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  if (!product_of(s, code, scale).is_nan()) return right(s, code, scale);
  const bool negative =
      bound == Bound::lower || (bound == Bound::by_scale_sign && factor_of(s, scale).negative());
  return max_code(s, negative);
}

std::uint32_t f32_infinity_to_nan(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const Exact product = product_of(s, code, scale);
  const bool infinite =
      product.is_infinity() || (product.is_finite_nonzero() && product.log2_floor() >= 128);
  return infinite ? nan_of(s) : right(s, code, scale);
}

template <class Between>
std::uint32_t rounds_twice(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const auto between = oracle::round(Between::spec, product_of(s, code, scale), Round::rne,
                                     Overflow::to_inf, oracle::strict);
  return between ? encode(s, *between) : 0;
}

enum class NanSignOf { scale, element, product, always, never };
template <NanSignOf of>
std::uint32_t nan_sign(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  if (!product_of(s, code, scale).is_nan()) return right(s, code, scale);
  const bool scale_negative = from_e4m3(s) && (scale & 0x80) != 0;
  const bool element_negative = (code & 8) != 0;
  switch (of) {
    case NanSignOf::scale:
      return nan_of(s) | sign_bit(s, scale_negative);
    case NanSignOf::element:
      return nan_of(s) | sign_bit(s, element_negative);
    case NanSignOf::product:
      return nan_of(s) | sign_bit(s, element_negative != scale_negative);
    case NanSignOf::never:
      return nan_of(s);
    case NanSignOf::always:
      break;
  }
  return nan_of(s) | sign_bit(s, true);
}

std::uint32_t fnuz_output(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return oracle::encode(oracle::e4m3fnuz::spec, product_of(s, code, scale), Round::rne,
                        Overflow::satfinite, oracle::strict)
      .value_or(0);
}

template <bool inputs_too>
std::uint32_t f32_subnormals_flushed(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  constexpr int smallest_normal = -126;
  Exact factor = factor_of(s, scale);
  if (inputs_too && below_power(factor, smallest_normal)) factor = Exact::zero(factor.negative());
  const Exact product = oracle::multiply(element_of(code), factor);
  return encode(s,
                below_power(product, smallest_normal) ? Exact::zero(product.negative()) : product);
}

std::uint32_t all_zero(const Setting& /*s*/, std::uint8_t /*code*/, std::uint8_t /*scale*/) {
  return 0;
}

std::uint32_t nan_is_zero(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return product_of(s, code, scale).is_nan() ? 0 : right(s, code, scale);
}

constexpr auto encode_model_table = std::to_array<ArithmeticModel>({
    {"enc_top_binade_saturates", "what rounds to 256 and more is written as 448", to_e4m3,
     top_binade_saturates},
    {"enc_finite_overflow_to_nan", "products above the range become NaN of their sign", to_e4m3,
     overflow_to_nan<true>},
    {"enc_finite_overflow_to_nan", "products above the range become NaN", to_e4m3,
     overflow_to_nan<false>},
    {"infinity_becomes_largest", "what is beyond the largest value becomes the largest", to_wide,
     overflow_saturates},
    {"enc_truncates", "products are rounded toward zero", always, rounds<Round::rtz>},
    {"enc_ties_away", "ties are rounded away from zero", always, rounds<Round::rna>},
    {"enc_ties_toward_zero", "ties are rounded toward zero", always, ties_toward_zero},
    {"enc_rounds_away", "products are rounded away from zero", always, rounds_away},
    {"enc_rounds_up", "products are rounded toward plus infinity", always, rounds<Round::rtp>},
    {"enc_rounds_down", "products are rounded toward minus infinity", always, rounds<Round::rtn>},
    {"enc_subnormal_flush", "subnormal results become a zero of their sign", to_own_subnormals,
     subnormal_result_flushed<true>},
    {"enc_subnormal_flush", "products below the normal range become a zero of their sign",
     to_own_subnormals, small_product_flushed},
    {"enc_subnormal_flush", "subnormal results become +0", to_own_subnormals,
     subnormal_result_flushed<false>},
    {"enc_subnormal_wrong_quantum", "subnormal results are half of what they should be", always,
     subnormal_quantum<-1>},
    {"enc_subnormal_wrong_quantum", "subnormal results are shifted once too often", always,
     subnormal_result_halved},
    {"enc_subnormal_wrong_quantum", "subnormal results are twice what they should be", always,
     subnormal_quantum<1>},
    {"enc_subnormal_wrong_quantum", "subnormal results are in units of the smallest normal",
     to_e4m3, subnormal_quantum<-3>},
    {"enc_negative_zero_lost", "-0 results become +0", always, negative_zero_lost},
    {"enc_negative_zero_lost", "the code of -0 is read as +0", always, negative_zero_element_lost},
    {"enc_nan_swallowed_by_clamp", "NaN becomes -448", to_e4m3, nan_clamped<Bound::lower>},
    {"enc_nan_swallowed_by_clamp", "NaN becomes 448", to_e4m3, nan_clamped<Bound::upper>},
    {"enc_nan_swallowed_by_clamp", "NaN becomes 448 of the scale's sign", to_e4m3,
     nan_clamped<Bound::by_scale_sign>},
    {"f32_overflow_inf_to_nan", "products of 2^128 and more become NaN", e8m0_to_e4m3,
     f32_infinity_to_nan},
    {"double_rounding", "products are rounded to f16 first", always, rounds_twice<oracle::f16>},
    {"double_rounding", "products are rounded to bf16 first", always, rounds_twice<oracle::bf16>},
    {"nan_sign", "NaN carries the sign of the scale", always, nan_sign<NanSignOf::scale>},
    {"nan_sign", "NaN carries the sign of the element", always, nan_sign<NanSignOf::element>},
    {"nan_sign", "NaN carries the sign of the product", always, nan_sign<NanSignOf::product>},
    {"nan_sign", "NaN is negative", always, nan_sign<NanSignOf::always>},
    {"nan_sign", "NaN has no sign", always, nan_sign<NanSignOf::never>},
    {"fnuz_output", "results are FNUZ codes", to_e4m3, fnuz_output},
    {"flush_to_zero_default_differs", "f32 subnormals become 0", e8m0_to_wide,
     f32_subnormals_flushed<false>},
    {"flush_to_zero_default_differs", "f32 subnormals are read and written as 0", e8m0_to_wide,
     f32_subnormals_flushed<true>},
    {"unsupported_arch_stub_returns_zero", "every byte is 00", always, all_zero},
    {"nan_becomes_zero", "NaN becomes 0", always, nan_is_zero},
});

}  // namespace

std::span<const ArithmeticModel> encode_models() { return encode_model_table; }

}  // namespace harness::arithmetic
