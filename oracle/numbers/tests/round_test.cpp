#include "oracle/numbers/round.hpp"

#include <gtest/gtest.h>

#include "oracle/numbers/tests/formats_under_test.hpp"

namespace oracle {
namespace {

template <class F>
class RoundTest : public ::testing::Test {};
TYPED_TEST_SUITE(RoundTest, testing_support::AllFormats, testing_support::FormatName);

// The definition, on the magnitudes between two neighbours, for each mode and sign.
TYPED_TEST(RoundTest, RoundsByDefinitionBetweenNeighbours) {
  const FormatSpec& f = TypeParam::spec;
  for (const std::uint32_t code : testing_support::positive_codes(f)) {
    const Exact low = decode(f, code);
    const Exact high = testing_support::next_value(f, code);
    const Exact middle = scale_by_power_of_two(add(low, high), -1);
    const bool even = (code & 1U) == 0 && f.mantissa_bits != 0;
    for (const Exact& magnitude : testing_support::inputs_after(f, code)) {
      if (magnitude.is_zero()) continue;
      for (const bool negative : {false, true}) {
        const Exact x = with_sign(magnitude, negative);
        const bool exact = magnitude == low;
        const auto check = [&](Round mode, bool up) {
          const GridValue g = round_to_grid(f, x, mode);
          const Exact got = Exact::finite(false, g.significand, g.exponent);
          ASSERT_EQ(got, up && !exact ? high : low)
              << exact_dyadic(x) << " " << name_of(mode) << " after " << hex_code(f, code);
          ASSERT_EQ(g.away, up && !exact);
        };
        check(Round::rne, magnitude > middle || (magnitude == middle && !even));
        check(Round::rna, magnitude >= middle);
        check(Round::rtz, false);
        check(Round::rtp, !negative);
        check(Round::rtn, negative);
      }
    }
  }
}

TYPED_TEST(RoundTest, RemainderSaysWhichSideOfTheMidpoint) {
  const FormatSpec& f = TypeParam::spec;
  constexpr std::array expected{Remainder::zero, Remainder::below_half, Remainder::below_half,
                                Remainder::half, Remainder::above_half, Remainder::above_half};
  for (const std::uint32_t code : testing_support::positive_codes(f)) {
    const std::vector<Exact> inputs = testing_support::inputs_after(f, code);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].is_zero()) continue;
      ASSERT_EQ(round_to_grid(f, inputs[i], Round::rtz).remainder, expected[i])
          << exact_dyadic(inputs[i]);
    }
  }
}

// Of the 2^w random numbers, exactly floor(f * 2^w) round away: the largest ones.
TYPED_TEST(RoundTest, StochasticRoundsAwayForTheLargestBits) {
  const FormatSpec& f = TypeParam::spec;
  constexpr int width = 6;
  const std::uint32_t last = max_finite_code(f);
  for (const std::uint32_t code : {last / 3, last / 2, last - 1}) {
    const Exact low = decode(f, code);
    const Exact step = subtract(testing_support::next_value(f, code), low);
    for (std::uint64_t eighths_of_64th = 0; eighths_of_64th < 512; ++eighths_of_64th) {
      const Exact x = add(low, multiply(step, Exact::finite(false, eighths_of_64th, -9)));
      for (std::uint32_t bits = 0; bits < (1U << width); ++bits) {
        const GridValue g = round_to_grid(f, x, stochastic({bits, width}));
        const bool away = eighths_of_64th / 8 + bits >= 64;
        ASSERT_EQ(g.away, away) << hex_code(f, code) << " + " << eighths_of_64th
                                << "/512 of a step, bits " << bits;
      }
    }
  }
}

TEST(RoundTest, StochasticUses32BitsOfTheFraction) {
  const auto away = [](const Exact& x, std::uint32_t bits) {
    return round_to_grid(e2m1::spec, x, stochastic({bits, 32})).away;
  };
  const Exact just_above_two = Exact::finite(false, (1ULL << 32) + 1, -31);  // 2 + 2^-31, step 1
  EXPECT_FALSE(away(just_above_two, 0xfffffffdU));
  EXPECT_TRUE(away(just_above_two, 0xfffffffeU));
  EXPECT_FALSE(away(Exact::integer(2), 0xffffffffU));
  // Far below the smallest step the fraction has no bit left among the first 32.
  EXPECT_FALSE(away(Exact::power_of_two(-34), 0xffffffffU));  // 2^-33 of a step
  EXPECT_TRUE(away(Exact::power_of_two(-33), 0xffffffffU));   // 2^-32 of a step
  EXPECT_FALSE(away(Exact::finite(false, UINT64_MAX, -500), 0xffffffffU));
}

TEST(RoundTest, RandomBitsMustFitTheirWidthAndMode) {
  EXPECT_TRUE(is_valid(Round::rne));
  EXPECT_FALSE(is_valid(Round::rs));
  EXPECT_TRUE(is_valid(stochastic({0xff, 8})));
  EXPECT_FALSE(is_valid(stochastic({0x100, 8})));
  EXPECT_TRUE(is_valid(stochastic({0xffffffff, 32})));
  EXPECT_FALSE(is_valid(stochastic({0, 33})));
  EXPECT_FALSE(is_valid(Rounding(Round::rne, {1, 8})));
}

}  // namespace
}  // namespace oracle
