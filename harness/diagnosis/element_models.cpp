// Faults of the element's decoding, and of the product (docs/faults.md group A).
#include <array>

#include "harness/diagnosis/arithmetic_steps.hpp"

namespace harness::arithmetic {
namespace {

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
      return zero_of(s, code_negative);
    case ZeroSign::of_product:
      return zero_of(s, code_negative != factor_of(s, scale).negative());
    case ZeroSign::plus:
      break;
  }
  return 0;
}

constexpr auto element_model_table = std::to_array<PairFault>({
    {"element_subnormal_as_normal", "codes 0 and 1 are read as 0.5 and 0.75", always,
     element_table<2, 3, 4, 6, 8, 12, 16, 24>},
    {"element_table_doubled", "elements are twice what they should be", always,
     element_table<0, 4, 8, 12, 16, 24, 32, 48>},
    // Byte for byte the same.
    {"e8m0_bias_off_by_one", "scales are read with bias 126", from_e8m0, stray_factor<1, 1>},
    {"element_read_as_integer", "codes are read as integers 0 to 7 with a sign", always,
     element_table<0, 4, 8, 12, 16, 20, 24, 28>},
    {"element_sign_lost", "the sign of codes is ignored", always, element_sign_lost},
    {"zero_code_short_circuit", "zero codes give a zero of the code's sign whatever the scale",
     always, zero_code_skips_scale<ZeroSign::of_code>},
    {"zero_code_short_circuit", "zero codes give zero under a NaN scale", always,
     zero_code_skips_scale<ZeroSign::of_product>},
    {"zero_code_short_circuit", "zero codes give +0 whatever the scale", always,
     zero_code_skips_scale<ZeroSign::plus>},
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

std::span<const PairFault> element_faults() { return element_model_table; }

}  // namespace harness::arithmetic
