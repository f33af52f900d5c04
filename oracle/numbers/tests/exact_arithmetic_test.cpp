#include "oracle/numbers/exact_arithmetic.hpp"

#include <gtest/gtest.h>

#include "oracle/numbers/tests/formats_under_test.hpp"

namespace oracle {
namespace {

constexpr Exact one = Exact::integer(1);
constexpr Exact inf = Exact::infinity(false);
constexpr Exact zero = Exact::zero(false);

std::uint32_t to_f32(const Exact& x, Round mode) {
  return encode<f32>(x, mode, Overflow::to_inf, strict).value();
}

TEST(ExactArithmeticTest, ProductsAreExact) {
  const Exact a = decode<f32>(0x3fffffff);  // 16777215 * 2^-23
  EXPECT_TRUE(identical(multiply(a, negate(a)), Exact::finite(true, 281474943156225ULL, -46)));
  EXPECT_TRUE(identical(multiply(decode<e2m1>(0x7), decode<e4m3>(0x7e)), Exact::integer(2688)));
}

TEST(ExactArithmeticTest, ProductsOfSpecialValuesFollowIeee754) {
  EXPECT_TRUE(identical(multiply(inf, negate(one)), negate(inf)));
  EXPECT_TRUE(identical(multiply(zero, negate(one)), negate(zero)));
  EXPECT_TRUE(identical(multiply(negate(zero), inf), Exact::nan(false)));
  EXPECT_TRUE(identical(multiply(Exact::nan(true), zero), Exact::nan(true)));
  EXPECT_TRUE(identical(multiply(Exact::nan(true), negate(one)), Exact::nan(false)));
}

TEST(ExactArithmeticTest, SumsOfSpecialValuesFollowIeee754) {
  EXPECT_TRUE(identical(add(inf, negate(one)), inf));
  EXPECT_TRUE(identical(add(inf, negate(inf)), Exact::nan(false)));
  EXPECT_TRUE(identical(add(negate(inf), negate(inf)), negate(inf)));
  EXPECT_TRUE(identical(add(one, negate(one)), zero));
  EXPECT_TRUE(identical(add(negate(one), one), zero));
  EXPECT_TRUE(identical(add(negate(zero), negate(zero)), negate(zero)));
  EXPECT_TRUE(identical(add(negate(zero), zero), zero));
  EXPECT_TRUE(identical(add(zero, one), one));
  EXPECT_TRUE(identical(add(one, Exact::nan(true)), Exact::nan(true)));
}

TEST(ExactArithmeticTest, NearSumsAreExact) {
  EXPECT_TRUE(
      identical(add(Exact::power_of_two(62), one), Exact::finite(false, (1ULL << 62) + 1, 0)));
  EXPECT_TRUE(
      identical(subtract(Exact::power_of_two(62), one), Exact::finite(false, (1ULL << 62) - 1, 0)));
  EXPECT_TRUE(identical(subtract(decode<f32>(0x3f800001), one), Exact::power_of_two(-23)));
}

// Sums against the witness's long integers, where no place is lost: every pair of e5m2 (67 places
// from the highest to the lowest) and of e8m0 (255 places), into the formats with most and fewest
// bits.
TEST(ExactArithmeticTest, SumsRoundLikeLongIntegers) {
  using testing_support::witness_number;
  for (const FormatSpec& from : {e5m2::spec, e8m0::spec}) {
    for (std::uint32_t a = 0; a <= max_finite_code(from); ++a) {
      for (std::uint32_t b = a; b <= max_finite_code(from); ++b) {
        const Exact x = decode(from, a);
        const Exact y = decode(from, b);
        const witness::Number sum{witness::Number::Kind::finite, false,
                                  witness_number(x).magnitude + witness_number(y).magnitude};
        for (const Round mode : testing_support::deterministic_modes) {
          for (const FormatSpec& to : {f32::spec, bf16::spec, e5m2::spec}) {
            ASSERT_EQ(
                encode(to, add(x, y), mode, Overflow::to_inf, strict).value(),
                witness::nearest(testing_support::witness_format(to), sum,
                                 testing_support::witness_mode(mode), witness::Beyond::infinity))
                << from.name << " " << a << " + " << b << " to " << to.name << " " << name_of(mode);
          }
        }
      }
    }
  }
}

TEST(ExactArithmeticTest, FarSumsRoundByTheSideTheSmallOneIsOn) {
  const Exact tiny = Exact::power_of_two(-1000);
  EXPECT_EQ(to_f32(add(one, tiny), Round::rtp), 0x3f800001U);
  EXPECT_EQ(to_f32(add(one, tiny), Round::rne), 0x3f800000U);
  EXPECT_EQ(to_f32(subtract(one, tiny), Round::rtz), 0x3f7fffffU);
  EXPECT_EQ(to_f32(subtract(one, tiny), Round::rtp), 0x3f800000U);
  // On a tie the small one decides.
  const Exact tie = Exact::finite(false, (1U << 24) + 1, -24);
  EXPECT_EQ(to_f32(tie, Round::rne), 0x3f800000U);
  EXPECT_EQ(to_f32(add(tie, tiny), Round::rne), 0x3f800001U);
  EXPECT_EQ(to_f32(subtract(tie, tiny), Round::rna), 0x3f800000U);
}

TEST(ExactArithmeticTest, StandInsKeepTheSideOfEveryValueOf61Bits) {
  const Exact n = Exact::finite(false, (1ULL << 61) - 1, 0);  // 61 bits
  for (const int far : {-63, -64, -65, -128, -5000}) {
    const Exact tiny = Exact::power_of_two(far);
    EXPECT_GT(add(n, tiny), n);
    EXPECT_LT(add(n, tiny), add(n, one));
    EXPECT_LT(subtract(n, tiny), n);
    EXPECT_GT(subtract(n, tiny), subtract(n, one));
  }
}

TEST(ExactArithmeticTest, QuotientsAreExactWhereTheyEnd) {
  EXPECT_TRUE(
      identical(divide(Exact::integer(-12), Exact::integer(8)), Exact::finite(true, 3, -1)));
  EXPECT_TRUE(identical(divide(decode<f32>(0x7f7fffff), decode<f32>(0x00000001)),
                        Exact::finite(false, 0xffffff, 104 + 149)));
}

TEST(ExactArithmeticTest, EndlessQuotientsRoundCorrectly) {
  EXPECT_EQ(to_f32(divide(one, Exact::integer(6)), Round::rne), 0x3e2aaaabU);
  EXPECT_EQ(to_f32(divide(one, Exact::integer(6)), Round::rtz), 0x3e2aaaaaU);
  EXPECT_EQ(to_f32(divide(one, Exact::integer(10)), Round::rne), 0x3dcccccdU);
}

// 2^62 / (2^62 - 1) = 1 + 2^-62 + ..: its first 62 bits are those of 1.
TEST(ExactArithmeticTest, QuotientsKeepTheSideOfTheValueTheyBeginWith) {
  const Exact quotient = divide(Exact::power_of_two(62), Exact::finite(false, (1ULL << 62) - 1, 0));
  EXPECT_GT(quotient, one);
  EXPECT_EQ(to_f32(quotient, Round::rtp), 0x3f800001U);
}

TEST(ExactArithmeticTest, QuotientsOfSpecialValuesFollowIeee754) {
  EXPECT_TRUE(identical(divide(negate(one), zero), negate(inf)));
  EXPECT_TRUE(identical(divide(zero, zero), Exact::nan(false)));
  EXPECT_TRUE(identical(divide(inf, inf), Exact::nan(false)));
  EXPECT_TRUE(identical(divide(one, negate(inf)), negate(zero)));
  EXPECT_TRUE(identical(divide(inf, zero), inf));
  EXPECT_TRUE(divide(one, Exact::nan(false)).is_nan());
}

}  // namespace
}  // namespace oracle
