#include "conversion_models.hpp"

#include <array>
#include <cassert>

#include "oracle/decode.hpp"
#include "oracle/encode.hpp"

namespace harness {
namespace {

using oracle::Exact;
using oracle::FormatSpec;
using oracle::Overflow;
using oracle::Round;

const ConversionTable& conversion(const ElementTable& table) {
  return std::get<ConversionTable>(table.kind);
}

Exact value_of(const ElementTable& table, std::uint32_t source) {
  return oracle::decode(conversion(table).source, source);
}

// One of the policies changed; the right code where the changed ones have no answer.
std::uint32_t with(const ElementTable& table, std::uint32_t source, const Exact& value,
                   const oracle::Rounding& rounding, Overflow overflow,
                   const oracle::SpecialInputs& special) {
  const auto code = oracle::encode(table.destination, value, rounding, overflow, special);
  return code ? *code : converted(table, source);
}

template <Round mode>
std::uint32_t rounds(const ElementTable& table, std::uint32_t source) {
  return with(table, source, value_of(table, source), mode, table.overflow,
              conversion(table).special);
}

std::uint32_t overflows_to_nan(const ElementTable& table, std::uint32_t source) {
  return with(table, source, value_of(table, source), conversion(table).rounding, Overflow::to_nan,
              conversion(table).special);
}

std::uint32_t infinity_to_nan(const ElementTable& table, std::uint32_t source) {
  return value_of(table, source).is_infinity() ? overflows_to_nan(table, source)
                                               : converted(table, source);
}

template <oracle::Format Between>
std::uint32_t rounds_twice(const ElementTable& table, std::uint32_t source) {
  const Exact value = value_of(table, source);
  if (value.is_nan()) return converted(table, source);
  const auto first = oracle::encode<Between>(value, Round::rne, Overflow::to_inf, oracle::strict);
  if (!first) return converted(table, source);
  return with(table, source, oracle::decode<Between>(*first), conversion(table).rounding,
              table.overflow, conversion(table).special);
}

std::uint32_t negative_zero_lost(const ElementTable& table, std::uint32_t source) {
  const std::uint32_t code = converted(table, source);
  return code == oracle::sign_mask(table.destination) ? 0 : code;
}

std::uint32_t nan_sign_kept(const ElementTable& table, std::uint32_t source) {
  oracle::SpecialInputs special = conversion(table).special;
  special.keep_nan_sign = true;
  return with(table, source, value_of(table, source), conversion(table).rounding, table.overflow,
              special);
}

template <bool negative>
std::uint32_t nan_clamped(const ElementTable& table, std::uint32_t source) {
  if (!value_of(table, source).is_nan()) return converted(table, source);
  return oracle::max_finite_code(table.destination) |
         (negative ? oracle::sign_mask(table.destination) : 0U);
}

std::uint32_t subnormals_flushed(const ElementTable& table, std::uint32_t source) {
  const FormatSpec& to = table.destination;
  const std::uint32_t code = converted(table, source);
  return to.subnormals && (code & oracle::exponent_mask(to)) == 0 ? code & oracle::sign_mask(to)
                                                                  : code;
}

// Rounding up changes the mantissa alone: what carries stays in the lower binade.
std::uint32_t carry_lost(const ElementTable& table, std::uint32_t source) {
  const FormatSpec& to = table.destination;
  const std::uint32_t code = converted(table, source);
  const std::uint32_t cut = rounds<Round::rtz>(table, source);
  const std::uint32_t exponent = oracle::exponent_mask(to);
  if (oracle::is_nan(to, code) || (code & exponent) == (cut & exponent)) return code;
  return (cut & ~oracle::mantissa_mask(to)) | (code & oracle::mantissa_mask(to));
}

std::uint32_t carry_saturates(const ElementTable& table, std::uint32_t source) {
  const FormatSpec& to = table.destination;
  const std::uint32_t code = converted(table, source);
  const std::uint32_t cut = rounds<Round::rtz>(table, source);
  const std::uint32_t exponent = oracle::exponent_mask(to);
  const bool carried = (code & exponent) == exponent && (cut & exponent) != exponent;
  return carried ? oracle::max_finite_code(to) | (code & oracle::sign_mask(to)) : code;
}

std::uint32_t top_binade_saturates(const ElementTable& table, std::uint32_t source) {
  const FormatSpec& to = table.destination;
  const std::uint32_t code = converted(table, source);
  const std::uint32_t exponent = oracle::exponent_mask(to);
  return (code & exponent) == exponent && !oracle::is_nan(to, code)
             ? oracle::max_finite_code(to) | (code & oracle::sign_mask(to))
             : code;
}

bool from(const ElementTable& table, const FormatSpec& format) {
  return conversion(table).source == format;
}

std::uint32_t e8m0_zero_flushed(const ElementTable& table, std::uint32_t source) {
  return from(table, oracle::e8m0::spec) && source == 0 ? 0 : converted(table, source);
}

std::uint32_t e8m0_shifted(const ElementTable& table, std::uint32_t source) {
  const bool to_f32 = table.destination == oracle::f32::spec;
  return from(table, oracle::e8m0::spec) && to_f32 ? source << 23 : converted(table, source);
}

std::uint32_t e8m0_nan_infinite(const ElementTable& table, std::uint32_t source) {
  return from(table, oracle::e8m0::spec) && source == 0xff
             ? oracle::infinity_code(table.destination, false)
             : converted(table, source);
}

// f32 exponents by unsigned subtraction: what is below 2^-127 wraps to ff.
std::uint32_t e8m0_of_tiny_wraps(const ElementTable& table, std::uint32_t source) {
  const bool tiny = table.destination == oracle::e8m0::spec && (source & 0x7fffffffU) < 0x00400000U;
  return tiny ? 0xff : converted(table, source);
}

std::uint32_t e4m3_subnormal_with_leading_one(const ElementTable& table, std::uint32_t source) {
  const std::uint32_t mantissa = source & 7U;
  if (!from(table, oracle::e4m3::spec) || (source & 0x78U) != 0 || mantissa == 0) {
    return converted(table, source);
  }
  return with(table, source, Exact::finite((source & 0x80U) != 0, 8 + mantissa, -10),
              conversion(table).rounding, table.overflow, conversion(table).special);
}

std::uint32_t e4m3_nan_is_480(const ElementTable& table, std::uint32_t source) {
  if (!from(table, oracle::e4m3::spec) || (source & 0x7fU) != 0x7fU) {
    return converted(table, source);
  }
  return with(table, source, Exact::integer((source & 0x80U) != 0 ? -480 : 480),
              conversion(table).rounding, table.overflow, conversion(table).special);
}

std::uint32_t e4m3_read_as_fnuz(const ElementTable& table, std::uint32_t source) {
  if (!from(table, oracle::e4m3::spec)) return converted(table, source);
  return with(table, source, oracle::decode<oracle::e4m3fnuz>(source), conversion(table).rounding,
              table.overflow, conversion(table).special);
}

std::uint32_t e4m3_written_as_fnuz(const ElementTable& table, std::uint32_t source) {
  if (table.destination != oracle::e4m3::spec) return converted(table, source);
  const auto code = oracle::encode<oracle::e4m3fnuz>(value_of(table, source), Round::rne,
                                                     Overflow::satfinite, oracle::strict);
  return code ? *code : converted(table, source);
}

constexpr std::array<ConversionModel, 23> models{{
    {"enc_top_binade_saturates", "values of the top binade become the largest",
     top_binade_saturates},
    {"enc_finite_overflow_to_nan", "what is beyond the largest value becomes NaN",
     overflows_to_nan},
    {"f32_overflow_inf_to_nan", "infinity becomes NaN", infinity_to_nan},
    {"enc_truncates", "values are rounded toward zero", rounds<Round::rtz>},
    {"enc_ties_away", "ties are rounded away from zero", rounds<Round::rna>},
    {"enc_rounds_up", "values are rounded toward plus infinity", rounds<Round::rtp>},
    {"enc_subnormal_flush", "subnormal results become a zero of their sign", subnormals_flushed},
    {"enc_normal_carry_lost", "rounding up past the mantissa does not reach the exponent",
     carry_lost},
    {"e2m1_carry_saturates", "rounding up into the top binade becomes the largest value",
     carry_saturates},
    {"enc_negative_zero_lost", "-0 results become +0", negative_zero_lost},
    {"enc_nan_swallowed_by_clamp", "NaN becomes the largest value", nan_clamped<false>},
    {"enc_nan_swallowed_by_clamp", "NaN becomes the lowest value", nan_clamped<true>},
    {"double_rounding", "values are rounded to f16 first", rounds_twice<oracle::f16>},
    {"double_rounding", "values are rounded to bf16 first", rounds_twice<oracle::bf16>},
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
}};

}  // namespace

std::span<const ConversionModel> conversion_models() { return models; }

std::uint32_t converted(const ElementTable& table, std::uint32_t source) {
  const auto code =
      oracle::encode(table.destination, value_of(table, source), conversion(table).rounding,
                     table.overflow, conversion(table).special);
  assert(code);  // the table's policies answer every source
  return *code;
}

}  // namespace harness
