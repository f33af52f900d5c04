#include "harness/diagnosis/store_faults.hpp"

#include <array>
#include <cassert>
#include <optional>

#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/pages/product.hpp"

namespace harness {
namespace {

using oracle::Exact;
using oracle::FormatSpec;
using oracle::Overflow;
using oracle::Round;
using oracle::Step;

std::uint32_t sign_bit(const Store& s, bool negative) {
  return negative ? oracle::sign_mask(s.to) : 0U;
}
// The sign bit alone is NaN in FNUZ formats.
std::uint32_t zero_of(const Store& s, bool negative) {
  return oracle::has_negative_zero(s.to) && !s.clears_negative_zero ? sign_bit(s, negative) : 0U;
}
std::uint32_t largest(const Store& s, bool negative) {
  return oracle::max_finite_code(s.to) | sign_bit(s, negative);
}
bool is_infinite_in_f32(const Exact& value) {
  return value.is_infinity() || (value.is_finite_nonzero() && value.log2_floor() >= 128);
}
bool is_nan(const Store& s, std::uint32_t code) { return oracle::is_nan(s.to, code); }
bool is_negative(const Store& s, std::uint32_t code) {
  return (code & oracle::sign_mask(s.to)) != 0;
}

std::optional<oracle::Encoding> tried(const Store& s, const Exact& value) {
  const auto made = oracle::encode_traced(s.to, value, s.rounding, s.overflow, s.special);
  return made ? std::optional(*made) : std::nullopt;
}
oracle::Encoding traced(const Store& s, const Exact& value) {
  const auto made = tried(s, value);
  assert(made);  // the policies answer every value
  return *made;
}

// The right code where the changed policies have no answer.
std::uint32_t with(const Store& changed, const Store& s, const Exact& value) {
  return tried(changed, value) ? stored(changed, value) : stored(s, value);
}

bool is_below_normal(const Store& s, const Exact& value) {
  return s.to.subnormals && value.is_finite_nonzero() &&
         value.log2_floor() < oracle::min_exponent(s.to);
}

template <Round mode>
std::uint32_t rounds(const Store& s, const Exact& value) {
  Store changed = s;
  changed.rounding = mode;
  return with(changed, s, value);
}

std::uint32_t ties_toward_zero(const Store& s, const Exact& value) {
  return traced(s, value).step == Step::tie_up ? rounds<Round::rtz>(s, value) : stored(s, value);
}

// Half a step is added in f32, which rounds, and the sum is cut: what is just below a tie goes up
// as well where results are subnormal.
std::uint32_t half_step_added(const Store& s, const Exact& value) {
  if (!is_below_normal(s, value)) {
    return rounds<Round::rna>(s, value);
  }
  const int step = oracle::min_exponent(s.to) - s.to.mantissa_bits;
  const Exact sum = oracle::add(oracle::scale_by_power_of_two(oracle::abs(value), -step),
                                Exact::power_of_two(-1));
  const auto rounded =
      oracle::round(oracle::f32::spec, sum, Round::rne, Overflow::to_inf, oracle::strict);
  if (!rounded) return stored(s, value);
  const Exact back = oracle::scale_by_power_of_two(*rounded, step);
  return rounds<Round::rtz>(s, oracle::with_sign(back, value.negative()));
}

std::uint32_t overflow_saturates(const Store& s, const Exact& value) {
  return traced(s, value).step == Step::overflow ? largest(s, value.negative()) : stored(s, value);
}

std::uint32_t rounds_away(const Store& s, const Exact& value) {
  return value.negative() ? rounds<Round::rtn>(s, value) : rounds<Round::rtp>(s, value);
}

std::uint32_t top_binade_saturates(const Store& s, const Exact& value) {
  const std::uint32_t code = stored(s, value);
  const std::uint32_t exponent = oracle::exponent_mask(s.to);
  const bool top = (code & exponent) == exponent && !is_nan(s, code);
  return top ? largest(s, is_negative(s, code)) : code;
}

// By the value before it is rounded.
std::uint32_t top_binade_value_saturates(const Store& s, const Exact& value) {
  const int top = oracle::decode(s.to, oracle::max_finite_code(s.to)).log2_floor();
  return value.is_finite_nonzero() && value.log2_floor() >= top ? largest(s, value.negative())
                                                                : stored(s, value);
}

template <bool keep_sign>
std::uint32_t overflows_to_nan(const Store& s, const Exact& value) {
  if (traced(s, value).step != Step::overflow) return stored(s, value);
  Store changed = s;
  changed.overflow = Overflow::to_nan;
  changed.special.keep_overflow_sign = keep_sign;
  return with(changed, s, value);
}

std::uint32_t infinity_to_nan(const Store& s, const Exact& value) {
  if (!is_infinite_in_f32(value)) return stored(s, value);
  return overflows_to_nan<false>(s, Exact::infinity(value.negative()));
}

template <class Between>
std::uint32_t rounds_twice(const Store& s, const Exact& value) {
  if (!value.is_finite_nonzero()) return stored(s, value);
  const auto first =
      oracle::round(Between::spec, value, Round::rne, Overflow::to_inf, oracle::strict);
  return first ? stored(s, *first) : stored(s, value);
}

// Of f32, without its lowest bits.
template <unsigned bits>
std::uint32_t cut_first(const Store& s, const Exact& value) {
  if (!value.is_finite_nonzero()) return stored(s, value);
  const auto code =
      oracle::encode<oracle::f32>(value, Round::rtz, Overflow::to_inf, oracle::strict);
  return code ? stored(s, oracle::decode<oracle::f32>(*code >> bits << bits)) : stored(s, value);
}

std::uint32_t negative_zero_lost(const Store& s, const Exact& value) {
  const std::uint32_t code = stored(s, value);
  return code == oracle::sign_mask(s.to) && !is_nan(s, code) ? 0 : code;
}

template <bool negative>
std::uint32_t nan_clamped(const Store& s, const Exact& value) {
  return value.is_nan() ? largest(s, negative) : stored(s, value);
}

std::uint32_t nan_is_zero(const Store& s, const Exact& value) {
  return value.is_nan() ? 0 : stored(s, value);
}

// A result with exponent field 0, zeros and all.
bool has_field_0(const Store& s, std::uint32_t code) {
  return s.to.subnormals && (code & oracle::exponent_mask(s.to)) == 0 && !is_nan(s, code);
}

template <bool keep_sign>
std::uint32_t subnormals_flushed(const Store& s, const Exact& value) {
  const std::uint32_t code = stored(s, value);
  return has_field_0(s, code) ? zero_of(s, keep_sign && is_negative(s, code)) : code;
}

// Before rounding, so that what rounds up to the smallest normal vanishes as well.
std::uint32_t small_values_flushed(const Store& s, const Exact& value) {
  return is_below_normal(s, value) ? zero_of(s, value.negative()) : stored(s, value);
}

std::uint32_t subnormals_halved(const Store& s, const Exact& value) {
  const std::uint32_t code = stored(s, value);
  if (!has_field_0(s, code)) return code;
  const std::uint32_t halved = (code & oracle::magnitude_mask(s.to)) >> 1;
  const bool negative = is_negative(s, code);
  return halved == 0 ? zero_of(s, negative) : halved | sign_bit(s, negative);
}

template <int power>
std::uint32_t subnormal_quantum(const Store& s, const Exact& value) {
  if (!is_below_normal(s, value)) return stored(s, value);
  return stored(s, oracle::scale_by_power_of_two(value, power));
}

// Rounding up changes the mantissa alone: what carries stays in the lower binade.
template <bool of_subnormals_too>
std::uint32_t carry_lost(const Store& s, const Exact& value) {
  const std::uint32_t code = stored(s, value);
  const std::uint32_t cut = rounds<Round::rtz>(s, value);
  const std::uint32_t exponent = oracle::exponent_mask(s.to);
  if (is_nan(s, code) || (code & exponent) == (cut & exponent)) return code;
  if (!of_subnormals_too && (cut & exponent) == 0) return code;
  return (cut & ~oracle::mantissa_mask(s.to)) | (code & oracle::mantissa_mask(s.to));
}

std::uint32_t carry_saturates(const Store& s, const Exact& value) {
  const std::uint32_t code = stored(s, value);
  const std::uint32_t cut = rounds<Round::rtz>(s, value);
  const std::uint32_t exponent = oracle::exponent_mask(s.to);
  const bool carried = (code & exponent) == exponent && (cut & exponent) != exponent;
  return carried ? largest(s, is_negative(s, code)) : code;
}

std::uint32_t fnuz_output(const Store& s, const Exact& value) {
  return oracle::encode(oracle::e4m3fnuz::spec, value, s.rounding, Overflow::satfinite,
                        oracle::strict)
      .value_or(0);
}

std::uint32_t all_zero(const Store& /*s*/, const Exact& /*value*/) { return 0; }

bool always(const Store& /*s*/) { return true; }
bool to_e4m3(const Store& s) { return s.to == oracle::e4m3::spec; }
bool to_e2m1(const Store& s) { return s.to == oracle::e2m1::spec; }
bool finite_only(const Store& s) { return !s.to.infinities; }
bool has_infinities(const Store& s) { return s.to.infinities; }

constexpr auto faults = std::to_array<StoreFault>({
    {"enc_top_binade_saturates", "results of the top binade become the largest", finite_only,
     top_binade_saturates},
    {"enc_top_binade_saturates", "values from the top binade on become the largest", finite_only,
     top_binade_value_saturates},
    {"enc_finite_overflow_to_nan", "what is beyond the largest value becomes NaN", always,
     overflows_to_nan<false>},
    {"enc_finite_overflow_to_nan", "what is beyond the largest value becomes NaN of its sign",
     always, overflows_to_nan<true>},
    {"infinity_becomes_largest", "what is beyond the largest value becomes the largest",
     has_infinities, overflow_saturates},
    {"enc_truncates", "values are rounded toward zero", always, rounds<Round::rtz>},
    {"enc_ties_away", "ties are rounded away from zero", always, rounds<Round::rna>},
    {"enc_ties_away", "half a step is added in f32 before the rest is cut", always,
     half_step_added},
    {"enc_ties_toward_zero", "ties are rounded toward zero", always, ties_toward_zero},
    {"enc_rounds_away", "values are rounded away from zero", always, rounds_away},
    {"enc_rounds_up", "values are rounded toward plus infinity", always, rounds<Round::rtp>},
    {"enc_rounds_down", "values are rounded toward minus infinity", always, rounds<Round::rtn>},
    {"enc_subnormal_flush", "subnormal results become a zero of their sign", always,
     subnormals_flushed<true>},
    {"enc_subnormal_flush", "values below the normal range become a zero of their sign", always,
     small_values_flushed},
    {"enc_subnormal_flush", "subnormal results become +0", always, subnormals_flushed<false>},
    {"enc_subnormal_wrong_quantum", "subnormal results are half of what they should be", always,
     subnormal_quantum<-1>},
    {"enc_subnormal_wrong_quantum", "subnormal results are shifted once too often", always,
     subnormals_halved},
    {"enc_subnormal_wrong_quantum", "subnormal results are twice what they should be", always,
     subnormal_quantum<1>},
    {"enc_subnormal_wrong_quantum", "subnormal results are in units of the smallest normal",
     to_e4m3, subnormal_quantum<-3>},
    {"enc_normal_carry_lost", "rounding up past the mantissa does not reach the exponent", always,
     carry_lost<true>},
    {"enc_normal_carry_lost", "rounding up past the mantissa of a normal number is lost", always,
     carry_lost<false>},
    {"e2m1_carry_saturates", "rounding up into the top binade becomes the largest value", to_e2m1,
     carry_saturates},
    {"enc_negative_zero_lost", "-0 results become +0", always, negative_zero_lost},
    {"enc_nan_swallowed_by_clamp", "NaN becomes the lowest value", finite_only, nan_clamped<true>},
    {"enc_nan_swallowed_by_clamp", "NaN becomes the largest value", finite_only,
     nan_clamped<false>},
    {"f32_overflow_inf_to_nan", "what f32 holds as infinity becomes NaN", finite_only,
     infinity_to_nan},
    {"double_rounding", "values are rounded to f16 first", always, rounds_twice<oracle::f16>},
    {"double_rounding", "values are rounded to bf16 first", always, rounds_twice<oracle::bf16>},
    {"double_rounding", "values are cut to the bits of bf16 first", always, cut_first<16>},
    {"double_rounding", "values are cut to the mantissa bits of f16 first", always, cut_first<13>},
    {"fnuz_output", "results are FNUZ codes", to_e4m3, fnuz_output},
    {"unsupported_arch_stub_returns_zero", "every code is 0", always, all_zero},
    {"nan_becomes_zero", "NaN becomes 0", always, nan_is_zero},
});

}  // namespace

std::span<const StoreFault> store_faults() { return faults; }

Store store_of(oracle::Dtype destination, const oracle::Profile& profile) {
  const bool to_fp8 = destination == oracle::Dtype::e4m3;
  Store store{oracle::destination_format(destination, profile), Round::rne, Overflow::to_inf, {}};
  if (to_fp8) {
    store.overflow = profile.e4m3_overflow == oracle::E4m3Overflow::satfinite ? Overflow::satfinite
                                                                              : Overflow::to_nan;
    store.nan_of_f32_infinity = profile.e4m3_infinity == oracle::E4m3Infinity::to_nan;
  }
  const Exact nan = Exact::nan(false);
  store.special.nan_code = oracle::encode_element(nan, destination, profile);
  store.special.keep_nan_sign = profile.nan_sign != oracle::NanSign::as_coded;
  store.special.keep_overflow_sign = store.special.keep_nan_sign;
  store.clears_negative_zero = profile.negative_zero == oracle::NegativeZero::cleared;
  return store;
}

std::uint32_t stored(const Store& s, const Exact& value) {
  const Exact seen =
      s.nan_of_f32_infinity && is_infinite_in_f32(value) ? Exact::nan(value.negative()) : value;
  const std::uint32_t code = traced(s, seen).code;
  const bool negative_zero = oracle::has_negative_zero(s.to) && code == oracle::sign_mask(s.to);
  return negative_zero && s.clears_negative_zero ? 0U : code;
}

}  // namespace harness
