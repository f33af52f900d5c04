#include "harness/suite/operations/scale_bytes.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "oracle/pages/product.hpp"
#include "oracle/profile.hpp"

namespace harness {
namespace {

std::size_t distinct_magnitudes(const oracle::FormatSpec& format, unsigned scale) {
  std::set<std::uint32_t> outputs;
  for (std::uint8_t code = 0; code < 8; ++code) {
    outputs.insert(oracle::decode_element(format, code, static_cast<std::uint8_t>(scale),
                                          oracle::Dtype::e4m3, oracle::profiles::ocp()));
  }
  return outputs.size();
}

// By hand: half of e4m3's 01 is a tie that goes to 0, and four times 6e is 448, as six times is by
// saturation. Of e8m0, half of 2^-9 is that tie, and four times 2^7 saturates.
TEST(ScaleBytesTest, SeparatingScalesAreThese) {
  const ScaleRange e4m3 = separating_scales(oracle::e4m3::spec);
  EXPECT_EQ(std::pair(e4m3.first, e4m3.last), (std::pair<std::uint8_t, std::uint8_t>(0x02, 0x6d)));
  const ScaleRange e8m0 = separating_scales(oracle::e8m0::spec);
  EXPECT_EQ(std::pair(e8m0.first, e8m0.last), (std::pair<std::uint8_t, std::uint8_t>(0x77, 0x85)));
}

// The range is the largest: one scale further on either side two magnitudes meet.
TEST(ScaleBytesTest, SeparatingScalesKeepAllMagnitudesApartAndNoOthersDo) {
  for (const auto format : {oracle::e4m3::spec, oracle::e8m0::spec}) {
    const ScaleRange range = separating_scales(format);
    for (unsigned scale = range.first; scale <= range.last; ++scale) {
      EXPECT_EQ(distinct_magnitudes(format, scale), 8U) << "scale " << scale;
    }
    EXPECT_LT(distinct_magnitudes(format, range.first - 1U), 8U);
    EXPECT_LT(distinct_magnitudes(format, range.last + 1U), 8U);
  }
}

}  // namespace
}  // namespace harness
