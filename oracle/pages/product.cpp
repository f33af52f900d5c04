#include "oracle/pages/product.hpp"

#include <cassert>

#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/numbers/formats.hpp"

namespace oracle {
namespace {

std::uint32_t nan_code(Dtype destination, const Profile& profile) {
  switch (destination) {
    case Dtype::bf16:
      return profile.nan.bf16;
    case Dtype::f16:
      return profile.nan.f16;
    case Dtype::f32:
      return profile.nan.f32;
    default:
      return profile.nan.e4m3;
  }
}

// The NaN of the destination for an element and a scale of these signs.
std::uint32_t nan_result(const FormatSpec& format, Dtype destination, const Profile& profile,
                         bool element_negative, bool scale_negative) {
  const std::uint32_t code = nan_code(destination, profile);
  switch (profile.nan_sign) {
    case NanSign::as_coded:
      return code;
    case NanSign::from_scale:
      return scale_negative ? code | sign_mask(format) : code;
    case NanSign::from_element:
      return element_negative ? code | sign_mask(format) : code;
  }
  return code;
}

// Whether an implementation that goes through f32 sees an infinity.
bool infinite_in_f32(const Exact& value) {
  return value.is_infinity() || (value.is_finite_nonzero() && value.log2_floor() >= 128);
}

// Rounds a value into its destination as the profile says; the signs are those of the inputs that
// gave a NaN.
std::uint32_t store(const Exact& value, Dtype destination, const Profile& profile,
                    bool element_negative, bool scale_negative) {
  const FormatSpec& to = destination_format(destination, profile);
  const bool to_e4m3 = destination == Dtype::e4m3;
  if (value.is_nan() ||
      (to_e4m3 && profile.e4m3_infinity == E4m3Infinity::to_nan && infinite_in_f32(value))) {
    return nan_result(to, destination, profile, element_negative, scale_negative);
  }

  const Overflow overflow = !to_e4m3                                           ? Overflow::to_inf
                            : profile.e4m3_overflow == E4m3Overflow::satfinite ? Overflow::satfinite
                                                                               : Overflow::to_nan;
  const Result<Encoding> encoded = encode_traced(to, value, Round::rne, overflow, strict);
  assert(encoded.has_value());  // every destination has a NaN, and every other one an infinity
  if (encoded->step == Step::overflow && overflow == Overflow::to_nan) {
    return nan_result(to, destination, profile, element_negative, scale_negative);
  }
  const bool negative_zero = has_negative_zero(to) && encoded->code == sign_mask(to);
  return negative_zero && profile.negative_zero == NegativeZero::cleared ? 0 : encoded->code;
}

}  // namespace

const FormatSpec& destination_format(Dtype destination, const Profile& profile) {
  assert(is_destination(destination));
  switch (destination) {
    case Dtype::bf16:
      return bf16::spec;
    case Dtype::f16:
      return f16::spec;
    case Dtype::f32:
      return f32::spec;
    default:
      return profile.output_family == E4m3Family::fnuz ? e4m3fnuz::spec : e4m3::spec;
  }
}

const FormatSpec& scale_format_read(const FormatSpec& format, const Profile& profile) {
  const bool fnuz = format == e4m3::spec && profile.scale_family == E4m3Family::fnuz;
  return fnuz ? e4m3fnuz::spec : format;
}

Exact scale_value(const FormatSpec& format, std::uint8_t scale, const Profile& profile) {
  if (format == e8m0::spec) {
    if (scale == 0x00 && profile.e8m0_00 == E8m0Zero::zero) return Exact::zero(false);
    if (scale == 0xff && profile.e8m0_ff == E8m0Ff::infinity) return Exact::infinity(false);
    if (scale == 0xff && profile.e8m0_ff == E8m0Ff::two_to_128) return Exact::power_of_two(128);
    return decode<e8m0>(scale);
  }
  const std::uint32_t code = scale & code_mask(format);
  if (format != e4m3::spec) return decode(format, code);
  const bool is_unsigned = profile.scale_sign == ScaleSign::unsigned_e4m3;
  return decode(scale_format_read(format, profile),
                is_unsigned ? code & magnitude_mask(format) : code);
}

std::uint32_t decode_element(const FormatSpec& format, std::uint8_t code, std::uint8_t scale,
                             Dtype destination, const Profile& profile) {
  const Exact element = decode<e2m1>(code);
  const Exact factor = scale_value(format, scale, profile);

  Exact product = multiply(element, factor);
  if (factor.is_nan() && element.is_zero() &&
      profile.zero_code_nan_scale == ZeroCodeNanScale::zero) {
    product = element;
  }
  return store(product, destination, profile, element.negative(), factor.negative());
}

std::uint32_t encode_element(const Exact& value, Dtype destination, const Profile& profile) {
  return store(value, destination, profile, value.negative(), value.negative());
}

}  // namespace oracle
