#include "harness/diagnosis/conversion_models.hpp"

#include <array>
#include <cassert>

#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"

namespace harness {
namespace {

using oracle::Exact;
using oracle::FormatSpec;
using oracle::Overflow;
using oracle::Round;

Exact value_of(const Conversion& c, std::uint32_t source) {
  return oracle::decode(c.source, source);
}

// One of the policies changed; the right code where the changed ones have no answer.
std::uint32_t with(const Conversion& c, std::uint32_t source, const Exact& value,
                   const oracle::Rounding& rounding, Overflow overflow,
                   const oracle::SpecialInputs& special) {
  const auto code = oracle::encode(c.destination, value, rounding, overflow, special);
  return code ? *code : converted(c, source);
}

template <Round mode>
std::uint32_t rounds(const Conversion& c, std::uint32_t source) {
  return with(c, source, value_of(c, source), mode, c.overflow, c.special);
}

// What is just between two becomes the lower one.
std::uint32_t ties_toward_zero(const Conversion& c, std::uint32_t source) {
  const auto made =
      oracle::encode_traced(c.destination, value_of(c, source), c.rounding, c.overflow, c.special);
  return made && made->step == oracle::Step::tie_up ? rounds<Round::rtz>(c, source)
                                                    : converted(c, source);
}

// Half a step is added in f32, which rounds, and the sum is cut: what is just below a tie goes up
// as well where results are subnormal.
std::uint32_t half_step_added(const Conversion& c, std::uint32_t source) {
  const Exact value = value_of(c, source);
  const int step = oracle::min_exponent(c.destination) - c.destination.mantissa_bits;
  if (!value.is_finite_nonzero() || value.log2_floor() >= oracle::min_exponent(c.destination)) {
    return rounds<Round::rna>(c, source);
  }
  const Exact sum = oracle::add(oracle::scale_by_power_of_two(oracle::abs(value), -step),
                                Exact::power_of_two(-1));
  const auto rounded =
      oracle::round(oracle::f32::spec, sum, Round::rne, Overflow::to_inf, oracle::strict);
  if (!rounded) return converted(c, source);
  const Exact back = oracle::scale_by_power_of_two(*rounded, step);
  return with(c, source, oracle::with_sign(back, value.negative()), Round::rtz, c.overflow,
              c.special);
}

std::uint32_t rounds_away(const Conversion& c, std::uint32_t source) {
  const Exact value = value_of(c, source);
  return value.negative() ? rounds<Round::rtn>(c, source) : rounds<Round::rtp>(c, source);
}

template <bool keep_sign>
std::uint32_t overflows_to_nan(const Conversion& c, std::uint32_t source) {
  oracle::SpecialInputs special = c.special;
  special.keep_overflow_sign = keep_sign;
  return with(c, source, value_of(c, source), c.rounding, Overflow::to_nan, special);
}

std::uint32_t infinity_to_nan(const Conversion& c, std::uint32_t source) {
  return value_of(c, source).is_infinity() ? overflows_to_nan<false>(c, source)
                                           : converted(c, source);
}

template <oracle::Format Between>
std::uint32_t rounds_twice(const Conversion& c, std::uint32_t source) {
  const Exact value = value_of(c, source);
  if (value.is_nan()) return converted(c, source);
  const auto first = oracle::encode<Between>(value, Round::rne, Overflow::to_inf, oracle::strict);
  if (!first) return converted(c, source);
  return with(c, source, oracle::decode<Between>(*first), c.rounding, c.overflow, c.special);
}

// f32 without its lowest bits.
template <unsigned bits>
std::uint32_t cut_first(const Conversion& c, std::uint32_t source) {
  if (c.source != oracle::f32::spec || !value_of(c, source).is_finite_nonzero()) {
    return converted(c, source);
  }
  return converted(c, source >> bits << bits);
}

std::uint32_t negative_zero_lost(const Conversion& c, std::uint32_t source) {
  const std::uint32_t code = converted(c, source);
  const bool zero =
      code == oracle::sign_mask(c.destination) && !oracle::is_nan(c.destination, code);
  return zero ? 0 : code;
}

std::uint32_t nan_sign_kept(const Conversion& c, std::uint32_t source) {
  oracle::SpecialInputs special = c.special;
  special.keep_nan_sign = true;
  return with(c, source, value_of(c, source), c.rounding, c.overflow, special);
}

template <bool negative>
std::uint32_t nan_clamped(const Conversion& c, std::uint32_t source) {
  if (!value_of(c, source).is_nan()) return converted(c, source);
  return oracle::max_finite_code(c.destination) |
         (negative ? oracle::sign_mask(c.destination) : 0U);
}

// The sign bit alone is NaN in FNUZ formats.
std::uint32_t zero_of_sign(const FormatSpec& to, std::uint32_t code) {
  return oracle::has_negative_zero(to) ? code & oracle::sign_mask(to) : 0U;
}

std::uint32_t subnormals_flushed(const Conversion& c, std::uint32_t source) {
  const FormatSpec& to = c.destination;
  const std::uint32_t code = converted(c, source);
  const bool subnormal = to.subnormals && (code & oracle::exponent_mask(to)) == 0;
  return subnormal && !oracle::is_nan(to, code) ? zero_of_sign(to, code) : code;
}

std::uint32_t subnormals_halved(const Conversion& c, std::uint32_t source) {
  const FormatSpec& to = c.destination;
  const std::uint32_t code = converted(c, source);
  if (!to.subnormals || (code & oracle::exponent_mask(to)) != 0) return code;
  if (oracle::is_nan(to, code)) return code;
  const std::uint32_t halved = (code & oracle::magnitude_mask(to)) >> 1;
  return halved == 0 ? zero_of_sign(to, code) : (code & oracle::sign_mask(to)) | halved;
}

std::uint32_t all_zero(const Conversion& /*c*/, std::uint32_t /*source*/) { return 0; }

std::uint32_t nan_is_zero(const Conversion& c, std::uint32_t source) {
  return value_of(c, source).is_nan() ? 0 : converted(c, source);
}

// Rounding up changes the mantissa alone: what carries stays in the lower binade.
template <bool of_subnormals_too>
std::uint32_t carry_lost(const Conversion& c, std::uint32_t source) {
  const FormatSpec& to = c.destination;
  const std::uint32_t code = converted(c, source);
  const std::uint32_t cut = rounds<Round::rtz>(c, source);
  const std::uint32_t exponent = oracle::exponent_mask(to);
  if (oracle::is_nan(to, code) || (code & exponent) == (cut & exponent)) return code;
  if (!of_subnormals_too && (cut & exponent) == 0) return code;
  return (cut & ~oracle::mantissa_mask(to)) | (code & oracle::mantissa_mask(to));
}

std::uint32_t carry_saturates(const Conversion& c, std::uint32_t source) {
  const FormatSpec& to = c.destination;
  const std::uint32_t code = converted(c, source);
  const std::uint32_t cut = rounds<Round::rtz>(c, source);
  const std::uint32_t exponent = oracle::exponent_mask(to);
  const bool carried = (code & exponent) == exponent && (cut & exponent) != exponent;
  return carried ? oracle::max_finite_code(to) | (code & oracle::sign_mask(to)) : code;
}

std::uint32_t top_binade_saturates(const Conversion& c, std::uint32_t source) {
  const FormatSpec& to = c.destination;
  const std::uint32_t code = converted(c, source);
  const std::uint32_t exponent = oracle::exponent_mask(to);
  return (code & exponent) == exponent && !oracle::is_nan(to, code)
             ? oracle::max_finite_code(to) | (code & oracle::sign_mask(to))
             : code;
}

// By the value before it is rounded.
std::uint32_t top_binade_value_saturates(const Conversion& c, std::uint32_t source) {
  const FormatSpec& to = c.destination;
  const Exact value = value_of(c, source);
  const int top = oracle::decode(to, oracle::max_finite_code(to)).log2_floor();
  return value.is_finite_nonzero() && value.log2_floor() >= top
             ? oracle::max_finite_code(to) | (value.negative() ? oracle::sign_mask(to) : 0U)
             : converted(c, source);
}

bool from(const Conversion& c, const FormatSpec& format) { return c.source == format; }

std::uint32_t e8m0_zero_flushed(const Conversion& c, std::uint32_t source) {
  return from(c, oracle::e8m0::spec) && source == 0 ? 0 : converted(c, source);
}

std::uint32_t e8m0_shifted(const Conversion& c, std::uint32_t source) {
  const bool to_f32 = c.destination == oracle::f32::spec;
  return from(c, oracle::e8m0::spec) && to_f32 ? source << 23 : converted(c, source);
}

std::uint32_t e8m0_nan_infinite(const Conversion& c, std::uint32_t source) {
  return from(c, oracle::e8m0::spec) && source == 0xff ? oracle::infinity_code(c.destination, false)
                                                       : converted(c, source);
}

// f32 exponents by unsigned subtraction: what is below 2^-127 wraps to ff.
std::uint32_t e8m0_of_tiny_wraps(const Conversion& c, std::uint32_t source) {
  const bool tiny = c.destination == oracle::e8m0::spec && (source & 0x7fffffffU) < 0x00400000U;
  return tiny ? 0xff : converted(c, source);
}

std::uint32_t e4m3_subnormal_with_leading_one(const Conversion& c, std::uint32_t source) {
  const std::uint32_t mantissa = source & 7U;
  if (!from(c, oracle::e4m3::spec) || (source & 0x78U) != 0 || mantissa == 0) {
    return converted(c, source);
  }
  return with(c, source, Exact::finite((source & 0x80U) != 0, 8 + mantissa, -10), c.rounding,
              c.overflow, c.special);
}

std::uint32_t e4m3_nan_is_480(const Conversion& c, std::uint32_t source) {
  if (!from(c, oracle::e4m3::spec) || (source & 0x7fU) != 0x7fU) {
    return converted(c, source);
  }
  return with(c, source, Exact::integer((source & 0x80U) != 0 ? -480 : 480), c.rounding, c.overflow,
              c.special);
}

std::uint32_t e4m3_read_as_fnuz(const Conversion& c, std::uint32_t source) {
  if (!from(c, oracle::e4m3::spec)) return converted(c, source);
  return with(c, source, oracle::decode<oracle::e4m3fnuz>(source), c.rounding, c.overflow,
              c.special);
}

std::uint32_t e4m3_written_as_fnuz(const Conversion& c, std::uint32_t source) {
  if (c.destination != oracle::e4m3::spec) return converted(c, source);
  const auto code = oracle::encode<oracle::e4m3fnuz>(value_of(c, source), Round::rne,
                                                     Overflow::satfinite, oracle::strict);
  return code ? *code : converted(c, source);
}

constexpr auto conversion_model_table = std::to_array<ConversionModel>({
    {"enc_top_binade_saturates", "values of the top binade become the largest",
     top_binade_saturates},
    {"enc_top_binade_saturates", "values from the top binade on become the largest",
     top_binade_value_saturates},
    {"enc_finite_overflow_to_nan", "what is beyond the largest value becomes NaN",
     overflows_to_nan<false>},
    {"enc_finite_overflow_to_nan", "what is beyond the largest value becomes NaN of its sign",
     overflows_to_nan<true>},
    {"f32_overflow_inf_to_nan", "infinity becomes NaN", infinity_to_nan},
    {"enc_truncates", "values are rounded toward zero", rounds<Round::rtz>},
    {"enc_ties_away", "ties are rounded away from zero", rounds<Round::rna>},
    {"enc_ties_away", "half a step is added in f32 before the rest is cut", half_step_added},
    {"enc_ties_toward_zero", "ties are rounded toward zero", ties_toward_zero},
    {"enc_rounds_away", "values are rounded away from zero", rounds_away},
    {"enc_rounds_up", "values are rounded toward plus infinity", rounds<Round::rtp>},
    {"enc_rounds_down", "values are rounded toward minus infinity", rounds<Round::rtn>},
    {"enc_subnormal_flush", "subnormal results become a zero of their sign", subnormals_flushed},
    {"enc_subnormal_wrong_quantum", "subnormal results are shifted once too often",
     subnormals_halved},
    {"enc_normal_carry_lost", "rounding up past the mantissa does not reach the exponent",
     carry_lost<true>},
    {"enc_normal_carry_lost", "rounding up past the mantissa of a normal number is lost",
     carry_lost<false>},
    {"e2m1_carry_saturates", "rounding up into the top binade becomes the largest value",
     carry_saturates},
    {"enc_negative_zero_lost", "-0 results become +0", negative_zero_lost},
    {"enc_nan_swallowed_by_clamp", "NaN becomes the largest value", nan_clamped<false>},
    {"enc_nan_swallowed_by_clamp", "NaN becomes the lowest value", nan_clamped<true>},
    {"double_rounding", "values are rounded to f16 first", rounds_twice<oracle::f16>},
    {"double_rounding", "values are rounded to bf16 first", rounds_twice<oracle::bf16>},
    {"double_rounding", "values are cut to the bits of bf16 first", cut_first<16>},
    {"double_rounding", "values are cut to the mantissa bits of f16 first", cut_first<13>},
    {"nan_sign", "NaN carries its sign", nan_sign_kept},
    {"e4m3_scale_subnormal_implicit_one", "codes 01 to 07 are read with a leading one",
     e4m3_subnormal_with_leading_one},
    {"e4m3_scale_nan_reads_480", "codes 7f and ff are read as 480 and -480", e4m3_nan_is_480},
    {"e8m0_code_0_flushed", "code 00 is read as 0", e8m0_zero_flushed},
    {"e8m0_nan_becomes_inf", "code ff is read as infinity", e8m0_nan_infinite},
    {"e8m0_code_0_flushed", "codes are `byte << 23`: 00 is 0 and ff infinity", e8m0_shifted},
    {"e8m0_cast_of_tiny_or_negative", "what is below 2^-127 wraps to ff", e8m0_of_tiny_wraps},
    {"fnuz_scale_decode", "codes are read as FNUZ", e4m3_read_as_fnuz},
    {"fnuz_output", "results are FNUZ codes", e4m3_written_as_fnuz},
    {"unsupported_arch_stub_returns_zero", "every code is 0", all_zero},
    {"nan_becomes_zero", "NaN becomes 0", nan_is_zero},
});

}  // namespace

std::span<const ConversionModel> conversion_models() { return conversion_model_table; }

std::uint32_t converted(const Conversion& c, std::uint32_t source) {
  const auto code =
      oracle::encode(c.destination, value_of(c, source), c.rounding, c.overflow, c.special);
  assert(code);  // the table's policies answer every source
  return *code;
}

}  // namespace harness
