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

std::uint8_t random_scale(oracle::ScaleFormat format, Distribution distribution, Random& random);

// The scale byte of 1.0.
constexpr std::uint8_t unit_scale(oracle::ScaleFormat format) {
  return format == oracle::ScaleFormat::e4m3 ? 0x38 : 0x7f;
}
// The code of 1.0: with it an e4m3 scale is copied to the output.
inline constexpr std::uint8_t unit_code = 2;

struct ScaleRange {
  std::uint8_t first;
  std::uint8_t last;
};
// Scale bytes under which the eight magnitudes of an element give eight different e4m3 outputs, so
// that an output byte tells codes and scales apart as well as one byte can. Checked in
// harness/suite/tests/scale_bytes_test.cpp.
constexpr ScaleRange separating_scales(oracle::ScaleFormat format) {
  return format == oracle::ScaleFormat::e4m3 ? ScaleRange{0x02, 0x6d} : ScaleRange{0x77, 0x85};
}

}  // namespace harness
