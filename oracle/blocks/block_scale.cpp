#include "oracle/blocks/block_scale.hpp"

#include <algorithm>
#include <cassert>
#include <compare>

#include "oracle/numbers/ieee.hpp"

namespace oracle {
namespace {

// max of two magnitudes as fmaxf has it; neither is a NaN.
std::uint32_t larger(std::uint32_t x, std::uint32_t y) { return std::max(x, y); }

std::uint32_t sixth(std::uint32_t amax, Sixth how) {
  return how == Sixth::quotient ? ieee::divide(amax, ieee::f32_six, Round::rne)
                                : ieee::multiply(amax, ieee::f32_one_sixth, Round::rne);
}

// e(w) + (m(w) != 0): the E8M0 exponent at or above w. The 100 of a NaN is cut to ff by the bounds
// that every byte is kept between.
std::uint32_t exponent_at_or_above(std::uint32_t w) {
  return ieee::exponent_field(w) + (ieee::mantissa_field(w) != 0 ? 1U : 0U);
}

std::uint32_t minus_two(std::uint32_t field) { return field < 2 ? 0 : field - 2; }

// The byte of a mode before its bounds, from the bits of an amax of any kind.
std::uint32_t scale_by_formula(std::uint32_t amax, const Mxfp4Rule& rule) {
  constexpr std::uint32_t quarter = 0x3e800000;  // 0.25
  switch (rule.mode) {
    case ScaleMode::round_up:
      return exponent_at_or_above(sixth(amax, rule.sixth));
    case ScaleMode::floor:
      return rule.quarter == Quarter::product
                 ? ieee::exponent_field(ieee::multiply(amax, quarter, Round::rne))
                 : minus_two(ieee::exponent_field(amax));
    case ScaleMode::even:
      return minus_two(ieee::exponent_field(amax + 0x00200000U));
    case ScaleMode::ceil:
      if (rule.quarter == Quarter::product) {
        return exponent_at_or_above(ieee::multiply(amax, quarter, Round::rne));
      }
      return minus_two(exponent_at_or_above(amax));
  }
  return 0xff;
}

std::uint8_t nan_code(bool negative, NanToE2m1 rule) {
  switch (rule) {
    case NanToE2m1::plus_six:
      return 0x7;
    case NanToE2m1::signed_six:
      return negative ? 0xf : 0x7;
    case NanToE2m1::plus_zero:
      return 0x0;
    case NanToE2m1::signed_zero:
      return negative ? 0x8 : 0x0;
    case NanToE2m1::minus_zero:
      return 0x8;
  }
  return 0x7;
}

// Whether a tie between two neighbours goes to the one of larger magnitude, whose code is `upper`.
bool tie_goes_away(Ties ties, bool negative, std::uint32_t upper) {
  switch (ties) {
    case Ties::to_even:
      return (upper & 1U) == 0;
    case Ties::toward_zero:
      return false;
    case Ties::away:
      return true;
    case Ties::toward_minus:
      return negative;
  }
  return false;
}

}  // namespace

std::uint32_t block_amax(std::span<const std::uint32_t> elements, NanInAmax nan_in_amax) {
  std::uint32_t amax = 0;
  for (const std::uint32_t element : elements) {
    if (ieee::is_nan(element)) {
      if (nan_in_amax == NanInAmax::propagates) return canonical_nan_code(f32::spec);
      continue;
    }
    amax = larger(amax, ieee::magnitude(element));
  }
  return amax;
}

std::uint8_t nvfp4_scale(std::uint32_t amax, const Nvfp4Rule& rule) {
  std::uint32_t scale = amax;
  if (!ieee::is_nan(amax)) {
    scale = larger(sixth(larger(amax, rule.amax_floor_f32), rule.sixth), rule.scale_floor_f32);
  }
  return static_cast<std::uint8_t>(
      detail::encode_total<e4m3>(decode<f32>(scale), Round::rne, Overflow::satfinite, strict));
}

std::uint8_t mxfp4_scale(std::uint32_t amax, const Mxfp4Rule& rule) {
  const bool nonfinite = ieee::magnitude(amax) >= ieee::f32_infinity;
  std::uint32_t scale = 0xff;
  if (!nonfinite) {
    scale = scale_by_formula(larger(amax, rule.amax_floor_f32), rule);
  } else if (rule.nonfinite_scale == NonfiniteScale::from_bits) {
    scale = scale_by_formula(amax, rule);
  }
  return static_cast<std::uint8_t>(
      std::clamp<std::uint32_t>(scale, rule.smallest_scale, rule.largest_scale));
}

std::uint8_t encode_e2m1(const Exact& value, const ElementRule& rule) {
  if (value.is_nan()) return nan_code(value.negative(), rule.nan_code);
  // The code toward zero and the next one enclose the value; the midpoint between them decides.
  std::uint32_t code =
      detail::encode_total<e2m1>(abs(value), Round::rtz, Overflow::satfinite, strict);
  if (code < max_finite_code(e2m1::spec)) {
    const Exact middle = scale_by_power_of_two(add(decode<e2m1>(code), decode<e2m1>(code + 1)), -1);
    const auto order = compare_magnitude(value, middle);
    if (std::is_gt(order) ||
        (std::is_eq(order) && tie_goes_away(rule.ties, value.negative(), code + 1)))
      ++code;
  }
  if (code == 0 && rule.negative_zero == NegativeZero::cleared) return 0x0;
  return static_cast<std::uint8_t>(value.negative() ? code | sign_mask(e2m1::spec) : code);
}

std::uint8_t nvfp4_code(std::uint32_t element, std::uint8_t scale, std::uint32_t amax,
                        const Nvfp4Rule& rule) {
  const std::uint32_t divisor = ieee::rounded(decode<e4m3>(scale), Round::rne);
  std::uint32_t scaled = 0;
  if (rule.code_from == CodeFrom::quotient) {
    scaled = ieee::divide(element, divisor, Round::rne);
  } else {
    const bool no_multiplier = rule.zero_multiplier == ZeroMultiplier::scale_is_zero
                                   ? ieee::magnitude(divisor) == 0
                                   : ieee::magnitude(amax) == 0;
    const std::uint32_t multiplier =
        no_multiplier ? 0 : ieee::divide(ieee::f32_one, divisor, Round::rne);
    scaled =
        ieee::multiply(element, multiplier,
                       rule.code_from == CodeFrom::reciprocal_product ? Round::rne : Round::rtz);
  }
  Exact value = decode<f32>(scaled);
  if (value.is_nan()) value = Exact::nan(ieee::is_negative(element));
  return encode_e2m1(value, {rule.ties, rule.nan_code, rule.negative_zero});
}

std::uint8_t mxfp4_code(std::uint32_t element, std::uint8_t scale, const Mxfp4Rule& rule) {
  const Exact divisor = decode<e8m0>(scale);
  const Exact value = divisor.is_nan()
                          ? Exact::nan(ieee::is_negative(element))
                          : scale_by_power_of_two(decode<f32>(element), -divisor.exponent());
  return encode_e2m1(value, {rule.ties, rule.nan_code, rule.negative_zero});
}

std::uint8_t quantize_block(std::span<const std::uint32_t> elements, const Nvfp4Rule& rule,
                            std::span<std::uint8_t> codes) {
  assert(codes.size() == elements.size());
  const std::uint32_t amax = block_amax(elements, rule.nan_in_amax);
  const std::uint8_t scale = nvfp4_scale(amax, rule);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    codes[i] = nvfp4_code(elements[i], scale, amax, rule);
  }
  return scale;
}

std::uint8_t quantize_block(std::span<const std::uint32_t> elements, const Mxfp4Rule& rule,
                            std::span<std::uint8_t> codes) {
  assert(codes.size() == elements.size());
  const std::uint8_t scale = mxfp4_scale(block_amax(elements, rule.nan_in_amax), rule);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    codes[i] = mxfp4_code(elements[i], scale, rule);
  }
  return scale;
}

}  // namespace oracle
