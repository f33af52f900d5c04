// Faults of the scale's decoding: a scale read as another value (docs/faults.md groups S and X).
#include <array>

#include "harness/diagnosis/arithmetic_steps.hpp"

namespace harness::arithmetic {
namespace {

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
  other.format = from_e4m3(s) ? oracle::e8m0::spec : oracle::e4m3::spec;
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

std::uint32_t e8m0_bias_128(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return scale == 0xff ? right(s, code, scale)
                       : with_factor(s, code, Exact::power_of_two(scale - 128));
}

// `nearest` takes the larger of two as near, `nearest_even` the one whose exponent field in f32 is
// even, as rounding the bits of an f32 does.
enum class Power { up, nearest, nearest_even, down };
template <Power power>
std::uint32_t scale_to_power_of_two(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const Exact factor = factor_of(s, scale);
  if (!factor.is_finite_nonzero() || factor.significand() == 1) return right(s, code, scale);
  const int below = factor.log2_floor();
  const auto from_midpoint = oracle::compare_magnitude(factor, Exact::finite(false, 3, below - 1));
  bool up = power == Power::up;
  if (power == Power::nearest) up = from_midpoint >= 0;
  if (power == Power::nearest_even) {
    up = from_midpoint > 0 || (from_midpoint == 0 && (below + 127) % 2 != 0);
  }
  return with_factor(
      s, code, oracle::with_sign(Exact::power_of_two(up ? below + 1 : below), factor.negative()));
}

// The exponent of the scale is added to the bits of the element's code in the destination.
std::uint32_t e8m0_added_to_bits(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const oracle::FormatSpec& to = spec_of(s);
  const std::uint32_t element = encode(s, element_of(code));
  const std::uint32_t steps = (std::uint32_t{scale} - 127U) << to.mantissa_bits;
  const int width = 8 * static_cast<int>(oracle::size_of(s.destination));
  return (element + steps) & (width == 32 ? ~0U : (1U << width) - 1U);
}

// The same, but that the sign bit stays and zeros stay zeros.
std::uint32_t e8m0_added_to_field(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  const std::uint32_t element = encode(s, element_of(code));
  const std::uint32_t magnitude = oracle::magnitude_mask(spec_of(s));
  if ((element & magnitude) == 0) return element;
  return (element & ~magnitude) | (e8m0_added_to_bits(s, code, scale) & magnitude);
}

std::uint32_t scale_is_one(const Setting& s, std::uint8_t code, std::uint8_t /*scale*/) {
  return with_factor(s, code, Exact::power_of_two(0));
}

std::uint32_t scale_is_e5m2(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return with_factor(s, code, oracle::decode<oracle::e5m2>(scale));
}

std::uint32_t fnuz_scale(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return with_factor(s, code, oracle::decode<oracle::e4m3fnuz>(scale));
}

constexpr auto models = std::to_array<PairFault>({
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
    {"e8m0_bias_off_by_one", "scales are read with bias 128", from_e8m0, e8m0_bias_128},
    {"e8m0_added_to_exponent_bits", "the scale is added to the bits of the element's result",
     e8m0_to_wide, e8m0_added_to_bits},
    {"e8m0_added_to_exponent_bits", "the scale is added to the exponent field of the result",
     e8m0_to_wide, e8m0_added_to_field},
    {"scale_rounded_to_power_of_two", "scales are rounded up to a power of two", from_e4m3,
     scale_to_power_of_two<Power::up>},
    {"scale_rounded_to_power_of_two", "scales are rounded to the nearest power of two", from_e4m3,
     scale_to_power_of_two<Power::nearest_even>},
    {"scale_rounded_to_power_of_two", "scales are rounded to the nearest power of two, ties up",
     from_e4m3, scale_to_power_of_two<Power::nearest>},
    {"scale_rounded_to_power_of_two", "scales are rounded down to a power of two", from_e4m3,
     scale_to_power_of_two<Power::down>},
    {"scale_ignored", "every scale is read as 1", always, scale_is_one},
    {"fnuz_scale_decode", "scales are read as FNUZ codes", from_e4m3, fnuz_scale},
});

}  // namespace

std::span<const PairFault> scale_faults() { return models; }

}  // namespace harness::arithmetic
