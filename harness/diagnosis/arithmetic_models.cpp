#include "diagnosis/arithmetic_models.hpp"

#include <array>
#include <vector>

#include "oracle/decode.hpp"
#include "oracle/encode.hpp"
#include "oracle/exact_arithmetic.hpp"
#include "oracle/product.hpp"

namespace harness {
namespace {

using oracle::Dtype;
using oracle::Exact;
using oracle::Overflow;
using oracle::Round;
using oracle::ScaleFormat;
using Setting = ArithmeticSetting;

// Steps of a right decoder, to be put together with one of them changed.

Exact element_of(std::uint8_t code) { return oracle::decode<oracle::e2m1>(code); }

Exact factor_of(const Setting& s, std::uint8_t scale) {
  return oracle::scale_value(s.format, scale, *s.profile);
}

const oracle::FormatSpec& spec_of(const Setting& s) {
  return oracle::destination_format(s.destination, *s.profile);
}

std::uint32_t sign_bit(const Setting& s, bool negative) {
  return negative ? oracle::sign_mask(spec_of(s)) : 0U;
}

std::uint32_t max_code(const Setting& s, bool negative) {
  return oracle::max_finite_code(spec_of(s)) | sign_bit(s, negative);
}

std::uint32_t nan_of(const Setting& s) {
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

oracle::Encoding trace(const Setting& s, const Exact& value, Round round = Round::rne) {
  const Overflow overflow = s.destination == Dtype::e4m3 ? Overflow::satfinite : Overflow::to_inf;
  oracle::SpecialInputs special;
  special.nan_code = nan_of(s);
  return oracle::encode_traced(spec_of(s), value, round, overflow, special)
      .value_or(oracle::Encoding{});
}

std::uint32_t encode(const Setting& s, const Exact& value, Round round = Round::rne) {
  return trace(s, value, round).code;
}

std::uint32_t right(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return oracle::decode_element(s.format, code, scale, s.destination, *s.profile);
}

Exact product_of(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return oracle::multiply(element_of(code), factor_of(s, scale));
}

bool below_power(const Exact& value, int exponent) {
  return value.is_zero() || (value.is_finite_nonzero() && value.log2_floor() < exponent);
}

bool always(const Setting& /*s*/) { return true; }
bool to_e4m3(const Setting& s) { return s.destination == Dtype::e4m3; }
bool from_e4m3(const Setting& s) { return s.format == ScaleFormat::e4m3; }
bool from_e8m0(const Setting& s) { return s.format == ScaleFormat::e8m0; }
bool e8m0_to_e4m3(const Setting& s) { return from_e8m0(s) && to_e4m3(s); }
bool e8m0_to_wide(const Setting& s) { return from_e8m0(s) && !to_e4m3(s); }

// --- A: element decode, product, output encode

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

template <Round round>
std::uint32_t rounds(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return encode(s, product_of(s, code, scale), round);
}

std::uint32_t ties_toward_zero(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const oracle::Encoding e = trace(s, product_of(s, code, scale));
  return e.step == oracle::Step::tie_up ? e.code - 1 : e.code;
}

std::uint32_t rounds_away(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const oracle::Encoding e = trace(s, product_of(s, code, scale));
  return e.step == oracle::Step::down || e.step == oracle::Step::tie_down ? e.code + 1 : e.code;
}

// Before rounding, so that what rounds up to the smallest normal vanishes as well.
std::uint32_t small_product_flushed(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const Exact product = product_of(s, code, scale);
  if (below_power(product, oracle::min_exponent(spec_of(s)))) {
    return sign_bit(s, product.negative());
  }
  return right(s, code, scale);
}

template <bool keep_sign>
std::uint32_t subnormal_result_flushed(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const std::uint32_t r = right(s, code, scale);
  const oracle::FormatSpec& f = spec_of(s);
  const bool subnormal = (r & oracle::exponent_mask(f)) == 0;
  return subnormal ? sign_bit(s, keep_sign && oracle::is_negative(f, r)) : r;
}

template <int power>
std::uint32_t subnormal_quantum(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const Exact product = product_of(s, code, scale);
  if (!product.is_finite_nonzero()) return right(s, code, scale);
  if (!below_power(product, oracle::min_exponent(spec_of(s)))) return right(s, code, scale);
  return encode(s, oracle::scale_by_power_of_two(product, power));
}

std::uint32_t negative_zero_lost(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const std::uint32_t r = right(s, code, scale);
  return r == oracle::sign_mask(spec_of(s)) ? 0 : r;
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

template <int m0, int m1, int m2, int m3, int m4, int m5, int m6, int m7>
std::uint32_t element_table(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  constexpr std::array<int, 8> quarters{m0, m1, m2, m3, m4, m5, m6, m7};
  const Exact element =
      Exact::finite((code & 8) != 0, static_cast<std::uint64_t>(quarters[code & 7]), -2);
  return encode(s, oracle::multiply(element, factor_of(s, scale)));
}

std::uint32_t element_sign_lost(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return right(s, code & 7, scale);
}

// A stray factor of significand * 2^power.
template <int significand, int power>
std::uint32_t stray_factor(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return encode(
      s, oracle::multiply(product_of(s, code, scale), Exact::finite(false, significand, power)));
}

enum class ZeroSign { of_code, of_product, plus };
template <ZeroSign sign>
std::uint32_t zero_code_skips_scale(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  if ((code & 7) != 0) return right(s, code, scale);
  const bool code_negative = (code & 8) != 0;
  switch (sign) {
    case ZeroSign::of_code:
      return sign_bit(s, code_negative);
    case ZeroSign::of_product:
      return sign_bit(s, code_negative != factor_of(s, scale).negative());
    case ZeroSign::plus:
      break;
  }
  return 0;
}

// --- S: scale decode. A scale read as another value.

std::uint32_t with_factor(const Setting& s, std::uint8_t code, const Exact& factor) {
  return encode(s, oracle::multiply(element_of(code), factor));
}

Exact implicit_one(std::uint8_t scale) {
  const std::uint32_t field = (scale >> 3) & 15;
  return Exact::finite((scale & 0x80) != 0, 8U + (scale & 7), static_cast<int>(field) - 10);
}

std::uint32_t scale_subnormal_implicit_one(const Setting& s, std::uint8_t code,
                                           std::uint8_t scale) {
  const bool subnormal = (scale & 0x78) == 0 && (scale & 7) != 0;
  return subnormal ? with_factor(s, code, implicit_one(scale)) : right(s, code, scale);
}

std::uint32_t scale_zero_not_zero(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return (scale & 0x78) == 0 ? with_factor(s, code, implicit_one(scale)) : right(s, code, scale);
}

std::uint32_t scale_subnormal_flushed(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return (scale & 0x78) == 0 ? with_factor(s, code, Exact::zero((scale & 0x80) != 0))
                             : right(s, code, scale);
}

std::uint32_t scale_nan_reads_480(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return (scale & 0x7f) == 0x7f ? with_factor(s, code, implicit_one(scale)) : right(s, code, scale);
}

template <bool of_any_mantissa>
std::uint32_t scale_top_binade_is_nan(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const bool nan = (scale & 0x78) == 0x78 && (of_any_mantissa || (scale & 7) != 0);
  return nan ? nan_of(s) : right(s, code, scale);
}

std::uint32_t scale_top_binade_is_ieee(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  if ((scale & 0x7f) == 0x78) return with_factor(s, code, Exact::infinity((scale & 0x80) != 0));
  return scale_top_binade_is_nan<true>(s, code, scale);
}

enum class NanSignOf { scale, element, product, always };
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
    case NanSignOf::always:
      break;
  }
  return nan_of(s) | sign_bit(s, true);
}

std::uint32_t scale_sign_ignored(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return right(s, code, scale & 0x7f);
}

template <bool is_signed>
std::uint32_t scale_as_integer(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const int value = is_signed ? static_cast<std::int8_t>(scale) : scale;
  return with_factor(s, code, Exact::integer(value));
}

std::uint32_t scale_of_the_other_format(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  Setting other = s;
  other.format = from_e4m3(s) ? ScaleFormat::e8m0 : ScaleFormat::e4m3;
  return right(other, code, scale);
}

std::uint32_t e8m0_00_flushed(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return scale == 0 ? with_factor(s, code, Exact::zero(false)) : right(s, code, scale);
}

std::uint32_t e8m0_ff_infinite(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return scale == 0xff ? with_factor(s, code, Exact::infinity(false)) : right(s, code, scale);
}

std::uint32_t e8m0_shifted_by_23(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return scale == 0 ? e8m0_00_flushed(s, code, scale) : e8m0_ff_infinite(s, code, scale);
}

std::uint32_t e8m0_ff_is_2_to_128(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return scale == 0xff ? with_factor(s, code, Exact::power_of_two(128)) : right(s, code, scale);
}

std::uint32_t e8m0_00_means_one(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return scale == 0 ? with_factor(s, code, Exact::power_of_two(0)) : right(s, code, scale);
}

std::uint32_t e8m0_as_integer_shift(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const auto shifted = static_cast<std::int32_t>(std::uint32_t{1} << (scale % 32));
  return with_factor(s, code, Exact::integer(shifted));
}

template <int bias>
std::uint32_t e8m0_bias(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return scale == 0xff ? right(s, code, scale)
                       : with_factor(s, code, Exact::power_of_two(scale - bias));
}

enum class Power { up, nearest, down };
template <Power power>
std::uint32_t scale_to_power_of_two(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const Exact factor = factor_of(s, scale);
  if (!factor.is_finite_nonzero()) return right(s, code, scale);
  int exponent = factor.log2_floor();
  const Exact midpoint = Exact::finite(false, 3, exponent - 1);
  const bool inexact = factor.significand() != 1;
  if (power == Power::up && inexact) ++exponent;
  if (power == Power::nearest && inexact && oracle::compare_magnitude(factor, midpoint) >= 0) {
    ++exponent;
  }
  return with_factor(s, code, oracle::with_sign(Exact::power_of_two(exponent), factor.negative()));
}

std::uint32_t scale_is_one(const Setting& s, std::uint8_t code, std::uint8_t /*scale*/) {
  return with_factor(s, code, Exact::power_of_two(0));
}

std::uint32_t scale_is_e5m2(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return with_factor(s, code, oracle::decode<oracle::e5m2>(scale));
}

// --- X: between vendors

std::uint32_t fnuz_output(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return oracle::encode(oracle::e4m3fnuz::spec, product_of(s, code, scale), Round::rne,
                        Overflow::satfinite, oracle::strict)
      .value_or(0);
}

std::uint32_t fnuz_scale(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return with_factor(s, code, oracle::decode<oracle::e4m3fnuz>(scale));
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

constexpr auto models = std::to_array<ArithmeticModel>({
    {"enc_top_binade_saturates", "what rounds to 256 and more is written as 448", to_e4m3,
     top_binade_saturates},
    {"enc_finite_overflow_to_nan", "products above the range become NaN of their sign", to_e4m3,
     overflow_to_nan<true>},
    {"enc_finite_overflow_to_nan", "products above the range become NaN", to_e4m3,
     overflow_to_nan<false>},
    {"enc_truncates", "products are rounded toward zero", always, rounds<Round::rtz>},
    {"enc_ties_away", "ties are rounded away from zero", always, rounds<Round::rna>},
    {"enc_ties_toward_zero", "ties are rounded toward zero", always, ties_toward_zero},
    {"enc_rounds_away", "products are rounded away from zero", always, rounds_away},
    {"enc_rounds_up", "products are rounded toward plus infinity", always, rounds<Round::rtp>},
    {"enc_rounds_down", "products are rounded toward minus infinity", always, rounds<Round::rtn>},
    {"enc_subnormal_flush", "subnormal results become a zero of their sign", always,
     subnormal_result_flushed<true>},
    {"enc_subnormal_flush", "products below the normal range become a zero of their sign", always,
     small_product_flushed},
    {"enc_subnormal_flush", "subnormal results become +0", always, subnormal_result_flushed<false>},
    {"enc_subnormal_wrong_quantum", "subnormal results are half of what they should be", always,
     subnormal_quantum<-1>},
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
    {"element_subnormal_as_normal", "codes 0 and 1 are read as 0.5 and 0.75", always,
     element_table<2, 3, 4, 6, 8, 12, 16, 24>},
    {"element_table_doubled", "elements are twice what they should be", always,
     element_table<0, 4, 8, 12, 16, 24, 32, 48>},
    {"element_read_as_integer", "codes are read as integers 0 to 7 with a sign", always,
     element_table<0, 4, 8, 12, 16, 20, 24, 28>},
    {"element_sign_lost", "the sign of codes is ignored", always, element_sign_lost},
    {"zero_code_short_circuit", "zero codes give a zero of the code's sign whatever the scale",
     always, zero_code_skips_scale<ZeroSign::of_code>},
    {"zero_code_short_circuit", "zero codes give zero under a NaN scale", always,
     zero_code_skips_scale<ZeroSign::of_product>},
    {"zero_code_short_circuit", "zero codes give +0 whatever the scale", always,
     zero_code_skips_scale<ZeroSign::plus>},
    {"e4m3_scale_subnormal_implicit_one", "scales 01 to 07 are read with a leading one", from_e4m3,
     scale_subnormal_implicit_one},
    {"e4m3_scale_zero_not_zero", "scales 00 to 07 are read with a leading one", from_e4m3,
     scale_zero_not_zero},
    {"e4m3_scale_subnormal_flushed", "scales 01 to 07 are read as 0", from_e4m3,
     scale_subnormal_flushed},
    {"e4m3_scale_nan_reads_480", "scales 7f and ff are read as 480 and -480", from_e4m3,
     scale_nan_reads_480},
    {"e4m3_scale_top_binade_is_nan", "scales 78 to 7e are read as NaN", from_e4m3,
     scale_top_binade_is_nan<true>},
    {"e4m3_scale_top_binade_is_nan", "scales 79 to 7e are read as NaN", from_e4m3,
     scale_top_binade_is_nan<false>},
    {"e4m3_scale_top_binade_is_nan", "scales 78 and 79 to 7e are read as infinity and NaN",
     from_e4m3, scale_top_binade_is_ieee},
    {"nan_sign", "NaN carries the sign of the scale", always, nan_sign<NanSignOf::scale>},
    {"nan_sign", "NaN carries the sign of the element", always, nan_sign<NanSignOf::element>},
    {"nan_sign", "NaN carries the sign of the product", always, nan_sign<NanSignOf::product>},
    {"nan_sign", "NaN is negative", always, nan_sign<NanSignOf::always>},
    {"e4m3_scale_sign_ignored", "the sign of scales is ignored", from_e4m3, scale_sign_ignored},
    {"scale_byte_used_as_integer", "scales are read as integers 0 to 255", always,
     scale_as_integer<false>},
    {"scale_byte_used_as_integer", "scales are read as integers -128 to 127", always,
     scale_as_integer<true>},
    {"scale_format_confused", "scales are read in the other page's format", always,
     scale_of_the_other_format},
    {"scale_format_confused", "scales are read as e5m2", always, scale_is_e5m2},
    {"e8m0_code_0_flushed", "scale 00 is read as 0", from_e8m0, e8m0_00_flushed},
    {"e8m0_code_0_flushed", "scales are `byte << 23`: 00 is 0 and ff infinity", e8m0_to_wide,
     e8m0_shifted_by_23},
    {"e8m0_nan_becomes_inf", "scale ff is read as infinity", from_e8m0, e8m0_ff_infinite},
    {"e8m0_nan_becomes_inf", "scales are `byte << 23`: 00 is 0 and ff infinity", from_e8m0,
     e8m0_shifted_by_23},
    {"e8m0_nan_ignored", "scale ff is read as 2^128", from_e8m0, e8m0_ff_is_2_to_128},
    {"e8m0_code_0_means_one", "scale 00 is read as 1", from_e8m0, e8m0_00_means_one},
    {"e8m0_integer_shift", "scales are read as 1 << byte in 32 bits", from_e8m0,
     e8m0_as_integer_shift},
    {"e8m0_bias_off_by_one", "scales are read with bias 128", from_e8m0, e8m0_bias<128>},
    {"e8m0_bias_off_by_one", "scales are read with bias 126", from_e8m0, e8m0_bias<126>},
    {"scale_rounded_to_power_of_two", "scales are rounded up to a power of two", from_e4m3,
     scale_to_power_of_two<Power::up>},
    {"scale_rounded_to_power_of_two", "scales are rounded to the nearest power of two", from_e4m3,
     scale_to_power_of_two<Power::nearest>},
    {"scale_rounded_to_power_of_two", "scales are rounded down to a power of two", from_e4m3,
     scale_to_power_of_two<Power::down>},
    {"scale_ignored", "every scale is read as 1", always, scale_is_one},
    {"fnuz_output", "results are FNUZ codes", to_e4m3, fnuz_output},
    {"fnuz_scale_decode", "scales are read as FNUZ codes", from_e4m3, fnuz_scale},
    {"flush_to_zero_default_differs", "f32 subnormals become 0", e8m0_to_wide,
     f32_subnormals_flushed<false>},
    {"flush_to_zero_default_differs", "f32 subnormals are read and written as 0", e8m0_to_wide,
     f32_subnormals_flushed<true>},
    {"unsupported_arch_stub_returns_zero", "every byte is 00", always, all_zero},
    {"nan_becomes_zero", "NaN becomes 0", always, nan_is_zero},
    {"tensor_scale_dropped_or_added", "results are multiplied by 0.5", always, stray_factor<1, -1>},
    {"tensor_scale_dropped_or_added", "results are multiplied by 2", always, stray_factor<1, 1>},
    {"tensor_scale_dropped_or_added", "results are multiplied by 0.25", always,
     stray_factor<1, -2>},
    {"tensor_scale_dropped_or_added", "results are multiplied by 4", always, stray_factor<1, 2>},
    {"tensor_scale_dropped_or_added", "results are multiplied by 0.125", always,
     stray_factor<1, -3>},
    {"tensor_scale_dropped_or_added", "results are multiplied by 8", always, stray_factor<1, 3>},
    {"tensor_scale_dropped_or_added", "results are multiplied by 1/16", always,
     stray_factor<1, -4>},
    {"tensor_scale_dropped_or_added", "results are multiplied by 16", always, stray_factor<1, 4>},
    {"tensor_scale_dropped_or_added", "results are multiplied by 1.5", always, stray_factor<3, -1>},
    {"tensor_scale_dropped_or_added", "results are multiplied by 6", always, stray_factor<3, 1>},
    {"tensor_scale_dropped_or_added", "results are multiplied by 448", always, stray_factor<7, 6>},
});

}  // namespace

std::span<const ArithmeticModel> arithmetic_models() { return models; }

ResultTable right_results(const ArithmeticSetting& setting) {
  ResultTable table{};
  for (unsigned pair = 0; pair < table.size(); ++pair) {
    table[pair] =
        right(setting, static_cast<std::uint8_t>(pair % 16), static_cast<std::uint8_t>(pair / 16));
  }
  return table;
}

ResultTable results_of(const ArithmeticModel& model, const ArithmeticSetting& setting) {
  ResultTable table{};
  for (unsigned pair = 0; pair < table.size(); ++pair) {
    table[pair] = model.result(setting, static_cast<std::uint8_t>(pair % 16),
                               static_cast<std::uint8_t>(pair / 16));
  }
  return table;
}

}  // namespace harness
