#include "oracle/numbers/exact.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "oracle/numbers/tests/formats_under_test.hpp"

namespace oracle {
namespace {

TEST(ExactTest, RepresentationIsUnique) {
  EXPECT_TRUE(identical(Exact::finite(false, 12, -2), Exact::finite(false, 3, 0)));
  EXPECT_EQ(Exact::finite(false, 12, -2).significand(), 3U);
  EXPECT_TRUE(identical(Exact::finite(true, 0, 5), Exact::zero(true)));
  EXPECT_TRUE(identical(Exact::integer(INT64_MIN), Exact::finite(true, 1, 63)));
}

TEST(ExactTest, ZerosAreEqualButNotIdentical) {
  EXPECT_EQ(Exact::zero(true), Exact::zero(false));
  EXPECT_FALSE(identical(Exact::zero(true), Exact::zero(false)));
}

TEST(ExactTest, NanIsUnordered) {
  EXPECT_FALSE(Exact::nan(false) == Exact::nan(false));
  EXPECT_FALSE(Exact::nan(false) < Exact::infinity(false));
  EXPECT_FALSE(Exact::nan(false) >= Exact::infinity(false));
  EXPECT_TRUE(identical(Exact::nan(true), Exact::nan(true)));
}

TEST(ExactTest, ComparisonOrdersAllPairs) {
  const std::vector<Exact> ascending{Exact::infinity(true),
                                     Exact::finite(true, 1, 1000),
                                     Exact::integer(-7),
                                     Exact::finite(true, 13, -1),
                                     Exact::integer(-6),
                                     Exact::power_of_two(-2000),
                                     Exact::finite(false, 3, -300),
                                     Exact::power_of_two(-298),
                                     Exact::integer(1),
                                     Exact::finite(false, (1ULL << 63) + 1, -63),
                                     Exact::finite(false, 3, -1),
                                     Exact::integer(2),
                                     Exact::infinity(false)};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      EXPECT_EQ(ascending[i] <=> ascending[j], i <=> j) << i << ", " << j;
    }
  }
  EXPECT_LT(Exact::integer(-1), Exact::zero(true));
  EXPECT_LT(Exact::zero(true), Exact::power_of_two(-2000));
}

TEST(ExactTest, SignCanBeSetAndFlipped) {
  for (const Exact& x :
       {Exact::zero(false), Exact::integer(5), Exact::infinity(false), Exact::nan(false)}) {
    EXPECT_TRUE(negate(x).negative());
    EXPECT_TRUE(identical(negate(negate(x)), x));
    EXPECT_TRUE(identical(abs(negate(x)), x));
  }
}

}  // namespace
}  // namespace oracle
