// Which scale bytes cases are made of.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/suite/operations/random.hpp"
#include "harness/suite/operations/spec_reader.hpp"
#include "oracle/pages/page_layout.hpp"

namespace harness {

enum class Distribution {
  edges,     // half of them zero, subnormal, of the top binade, or NaN
  uniform,   // all 256 alike
  everyday,  // what a writer stores for values of ordinary size
};
EnumNames<Distribution> distribution_names();

// Precondition: one of oracle::scale_formats.
std::uint8_t random_scale(const oracle::FormatSpec& format, Distribution distribution,
                          Random& random);

// The scale byte of 2^exponent. Precondition: the format has it as a normal value.
constexpr std::uint8_t power_scale(const oracle::FormatSpec& format, int exponent) {
  return static_cast<std::uint8_t>((format.bias + exponent) << format.mantissa_bits);
}
// That of 1.0.
constexpr std::uint8_t unit_scale(const oracle::FormatSpec& format) {
  return power_scale(format, 0);
}
// The code of 1.0: with it an e4m3 scale is copied to the output.
inline constexpr std::uint8_t unit_code = 2;

struct ScaleRange {
  std::uint8_t first;
  std::uint8_t last;
};
// The scale bytes around 1.0 under which the eight magnitudes of an element give eight different
// e4m3 outputs, so that an output byte tells codes and scales apart as well as one byte can. Held
// in harness/suite/tests/scale_bytes_test.cpp. Precondition: one of oracle::scale_formats.
ScaleRange separating_scales(const oracle::FormatSpec& format);

}  // namespace harness
