// Faults of signs and of f32 subnormals on the way of a product to its store: what depends on more
// than the product's value (docs/faults.md groups A, S and X).
#include <array>

#include "harness/diagnosis/arithmetic_steps.hpp"

namespace harness::arithmetic {
namespace {

std::uint32_t negative_zero_element_lost(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  return right(s, code == 8 ? 0 : code, scale);
}

std::uint32_t nan_clamped_by_scale(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  if (!product_of(s, code, scale).is_nan()) return right(s, code, scale);
  return max_code(s, factor_of(s, scale).negative());
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

template <bool inputs_too>
std::uint32_t f32_subnormals_flushed(const Setting& s, std::uint8_t code, std::uint8_t scale) {
  constexpr int smallest_normal = -126;
  Exact factor = factor_of(s, scale);
  if (inputs_too && below_power(factor, smallest_normal)) factor = Exact::zero(factor.negative());
  const Exact product = oracle::multiply(element_of(code), factor);
  return encode(s,
                below_power(product, smallest_normal) ? Exact::zero(product.negative()) : product);
}

constexpr auto faults_of_signs = std::to_array<PairFault>({
    {"enc_negative_zero_lost", "the code of -0 is read as +0", always, negative_zero_element_lost},
    {"enc_nan_swallowed_by_clamp", "NaN becomes 448 of the scale's sign", to_e4m3,
     nan_clamped_by_scale},
    {"nan_sign", "NaN carries the sign of the scale", always, nan_sign<NanSignOf::scale>},
    {"nan_sign", "NaN carries the sign of the element", always, nan_sign<NanSignOf::element>},
    {"nan_sign", "NaN carries the sign of the product", always, nan_sign<NanSignOf::product>},
    {"nan_sign", "NaN is negative", always, nan_sign<NanSignOf::always>},
    {"nan_sign", "NaN has no sign", always, nan_sign<NanSignOf::never>},
    {"flush_to_zero_default_differs", "f32 subnormals become 0", e8m0_to_wide,
     f32_subnormals_flushed<false>},
    {"flush_to_zero_default_differs", "f32 subnormals are read and written as 0", e8m0_to_wide,
     f32_subnormals_flushed<true>},
});

}  // namespace

std::span<const PairFault> sign_faults() { return faults_of_signs; }

}  // namespace harness::arithmetic
