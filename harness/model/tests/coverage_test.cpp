#include "harness/model/coverage.hpp"

#include <gtest/gtest.h>

namespace harness {
namespace {

TEST(Coverage, CountsABin) {
  Coverage coverage;
  EXPECT_FALSE(coverage.hit("edge/nan_scale"));
  coverage.add("edge/nan_scale");
  EXPECT_TRUE(coverage.hit("edge/nan_scale"));
}

TEST(Coverage, PairsAtAPlaceAreHitWhenAllAre) {
  Coverage coverage;
  for (unsigned pair = 0; pair < 4096; ++pair) {
    EXPECT_FALSE(coverage.hit("pairs/place7")) << pair;
    coverage.add_element(pair % 16, static_cast<std::uint8_t>(pair / 16), 7);
  }
  EXPECT_TRUE(coverage.hit("pairs/place7"));
  EXPECT_TRUE(coverage.hit("pairs"));
  EXPECT_FALSE(coverage.hit("pairs/place6"));
}

TEST(Coverage, APlaceThatDoesNotExistIsNotHit) {
  Coverage coverage;
  EXPECT_FALSE(coverage.hit("pairs/place32"));
  EXPECT_FALSE(coverage.hit("pairs/place"));
  EXPECT_FALSE(coverage.hit("pairs/place7x"));
}

TEST(Coverage, MergeJoinsPlaces) {
  Coverage low;
  Coverage high;
  for (unsigned pair = 0; pair < 4096; ++pair) {
    (pair < 2048 ? low : high).add_element(pair % 16, static_cast<std::uint8_t>(pair / 16), 0);
  }
  low.merge(high);
  EXPECT_TRUE(low.hit("pairs/place0"));
}

}  // namespace
}  // namespace harness
