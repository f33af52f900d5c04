#include "oracle/pages/score.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"

namespace oracle {
namespace {

using testing::HasSubstr;

constexpr std::int64_t head_dim = 128;

std::vector<std::uint8_t> random_rows(std::int64_t rows, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(rows * head_dim));
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(random());
    if ((byte & 0x7f) == 0x7f) byte = 0;  // no NaN
  }
  return bytes;
}

Scores score(const std::vector<std::uint8_t>& queries, const std::vector<std::uint8_t>& keys) {
  const auto rows = [](const std::vector<std::uint8_t>& bytes) {
    return *contiguous_view(std::span(bytes), Dtype::e4m3,
                            {static_cast<std::int64_t>(bytes.size()) / head_dim, head_dim});
  };
  return score_tokens(rows(queries), rows(keys)).value();
}

TEST(ScoreTest, DotProductsAreTheExactSums) {
  const auto queries = random_rows(3, 1);
  const auto keys = random_rows(40, 2);
  const Scores scores = score(queries, keys);
  for (std::size_t q = 0; q < 3; ++q) {
    for (std::size_t t = 0; t < 40; ++t) {
      Exact dot;
      Exact magnitude;
      for (std::size_t e = 0; e < 128; ++e) {
        const Exact product =
            multiply(decode<e4m3>(queries[q * 128 + e]), decode<e4m3>(keys[t * 128 + e]));
        dot = add(dot, product);  // spans fewer than 62 bits: exact
        magnitude = add(magnitude, abs(product));
      }
      const Score got = scores.at(static_cast<Eigen::Index>(q), static_cast<Eigen::Index>(t));
      ASSERT_TRUE(scale_by_power_of_two(Exact::integer(got.dot), -18) == dot);
      ASSERT_TRUE(scale_by_power_of_two(Exact::integer(got.magnitude), -18) == magnitude);
      ASSERT_FALSE(got.nan);
    }
  }
}

TEST(ScoreTest, LargestAndSmallestValuesFit) {
  std::vector<std::uint8_t> largest(128, 0x7e);
  std::vector<std::uint8_t> smallest(128, 0x81);
  EXPECT_EQ(score(largest, largest).at(0, 0).dot, std::int64_t{128} * 229376 * 229376);
  EXPECT_EQ(score(smallest, largest).at(0, 0).dot, -std::int64_t{128} * 448 * 512);
  EXPECT_EQ(score(smallest, smallest).at(0, 0).dot, 128);
  EXPECT_LT(score(largest, largest).at(0, 0).magnitude, std::int64_t{1} << 43);
}

float e4m3_to_float(std::uint8_t code) {
  const int magnitude = code & 0x7f;
  const float value = magnitude < 8
                          ? std::ldexp(static_cast<float>(magnitude), -9)
                          : std::ldexp(static_cast<float>(8 + magnitude % 8), magnitude / 8 - 10);
  return code < 0x80 ? value : -value;
}

// The host adds in f32 in several orders, the way kernels do: all are allowed, and an error of a
// few bounds is not.
TEST(ScoreTest, F32SumsOfAnyOrderLieWithinTheBound) {
  const auto queries = random_rows(1, 3);
  const auto keys = random_rows(200, 4);
  const Scores scores = score(queries, keys);
  std::mt19937 random(5);
  bool inexact = false;
  for (std::size_t t = 0; t < 200; ++t) {
    std::vector<float> products(128);
    for (std::size_t e = 0; e < 128; ++e) {
      products[e] = e4m3_to_float(queries[e]) * e4m3_to_float(keys[t * 128 + e]);
    }
    const Score exact = scores.at(0, static_cast<Eigen::Index>(t));
    for (int order = 0; order < 4; ++order) {
      std::shuffle(products.begin(), products.end(), random);
      const float sum = std::accumulate(products.begin(), products.end(), 0.0F);
      ASSERT_TRUE(is_allowed_score(std::bit_cast<std::uint32_t>(sum), exact, {})) << "token " << t;
      inexact =
          inexact || static_cast<double>(sum) != std::ldexp(static_cast<double>(exact.dot), -18);
    }
    const double bound =
        std::ldexp(static_cast<double>(score_error_bound(exact.magnitude, {})), -42);
    const auto far =
        static_cast<float>(std::ldexp(static_cast<double>(exact.dot), -18) + 3 * bound);
    EXPECT_FALSE(is_allowed_score(std::bit_cast<std::uint32_t>(far), exact, {})) << "token " << t;
  }
  EXPECT_TRUE(inexact) << "no sum rounded: the bound was not put to the test";
}

TEST(ScoreTest, BoundIsGammaTimesMagnitude) {
  EXPECT_EQ(score_error_bound(0, {}), 0);
  EXPECT_EQ(score_error_bound(std::int64_t{1} << 42, {.additions = 0, .precision_bits = 24}), 0);
  for (const int precision : {14, 24}) {
    for (const int additions : {1, 127, 128}) {
      for (const std::int64_t magnitude : {std::int64_t{1}, (std::int64_t{1} << 43) - 1}) {
        const long double nu = std::ldexp(static_cast<long double>(additions), -precision);
        const long double gamma = nu / (1 - nu) * static_cast<long double>(magnitude);
        const auto bound = static_cast<long double>(
            score_error_bound(magnitude, {.additions = additions, .precision_bits = precision}));
        EXPECT_GE(std::ldexp(bound, -24), gamma);
        EXPECT_LE(std::ldexp(bound, -24), gamma * 1.3L + std::ldexp(300.L, -precision));
      }
    }
  }
}

TEST(ScoreTest, NanIsAllowedForNanOnly) {
  const std::uint32_t nan = 0x7fffffff;
  const std::uint32_t infinity = 0x7f800000;
  EXPECT_TRUE(is_allowed_score(nan, {0, 0, true}, {}));
  EXPECT_FALSE(is_allowed_score(nan, {0, 0, false}, {}));
  EXPECT_FALSE(is_allowed_score(0, {0, 0, true}, {}));
  EXPECT_FALSE(is_allowed_score(infinity, {0, 0, false}, {}));
  EXPECT_TRUE(is_allowed_score(0x80000000, {0, 0, false}, {})) << "-0 is the zero sum";
  EXPECT_FALSE(is_allowed_score(0x00000001, {0, 0, false}, {})) << "nothing to round";
}

TEST(ScoreTest, PagesTakeTheLargestTokenAndIgnoreNan) {
  std::vector<std::uint8_t> query(128, 0);
  query[0] = 0x38;  // 1.0: a token's score is its first element
  std::vector<std::uint8_t> keys(std::size_t{7} * 128);
  const std::vector<std::uint8_t> first{0xd0, 0x48, 0x7f, 0xff, 0x7f, 0xc8, 0x7e};
  for (std::size_t t = 0; t < 7; ++t) keys[t * 128] = first[t];
  const auto pages = score_pages(score(query, keys), 0, 2);
  ASSERT_EQ(pages.size(), 3U) << "the seventh token is no whole page";
  EXPECT_EQ(pages[0].largest.dot, std::int64_t{4} << 18);
  EXPECT_EQ(pages[0].magnitude_bound, std::int64_t{8} << 18) << "of the other token, -8";
  EXPECT_FALSE(pages[0].largest.nan);
  EXPECT_TRUE(pages[1].largest.nan);
  EXPECT_EQ(pages[2].largest.dot, -(std::int64_t{4} << 18)) << "the NaN beside it does not count";
}

PageScore page(std::int64_t dot, std::int64_t magnitude) {
  return {{dot, magnitude, false}, magnitude};
}

TEST(ScoreTest, RankingMustFollowExactScoresBeyondTheirBounds) {
  const std::int64_t unit = std::int64_t{1} << 40;  // bound 127 * 2^40 * 2^-24 = 2^22.99
  const std::vector<PageScore> pages{
      page(0, unit), page(1 << 20, unit), page(1 << 26, unit), {{0, 0, true}, 0}};
  const auto check = [&](std::vector<std::int64_t> ranking) {
    return check_page_ranking(pages, ranking, {});
  };
  EXPECT_TRUE(check({2, 1, 0}).has_value());
  EXPECT_TRUE(check({2, 0, 1}).has_value()) << "2^20 apart is within both bounds";
  EXPECT_TRUE(check({2}).has_value());
  EXPECT_TRUE(check({}).has_value());
  EXPECT_TRUE(check({3, 2}).has_value()) << "NaN pages may stand anywhere";
  const auto wrong = check({1, 2});
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(
      wrong.error().message,
      "check_page_ranking: ranking[0]: expected page 2 with exact score 67108864 x 2^-18 above "
      "it, got page 1 with exact score 1048576 x 2^-18");
  EXPECT_FALSE(check({1}).has_value()) << "the best page was left out";
  EXPECT_EQ(check({4}).error().code, ErrorCode::out_of_range);
  EXPECT_EQ(check({-1}).error().code, ErrorCode::out_of_range);
  EXPECT_EQ(check({2, 2}).error().code, ErrorCode::invalid_argument);
}

TEST(ScoreTest, RankingBoundIsSharp) {
  const std::int64_t unit = std::int64_t{1} << 40;
  const std::int64_t both = 2 * score_error_bound(unit, {}) >> 24;
  const std::vector<PageScore> within{page(0, unit), page(both, unit)};
  const std::vector<PageScore> beyond{page(0, unit), page(both + 1, unit)};
  const std::vector<std::int64_t> ranking{0, 1};
  EXPECT_TRUE(check_page_ranking(within, ranking, {}).has_value());
  EXPECT_FALSE(check_page_ranking(beyond, ranking, {}).has_value());
}

TEST(ScoreTest, ViolationsAreNamed) {
  const std::vector<std::uint8_t> bytes(512);
  const ConstTensorView rows = *contiguous_view(std::span(bytes), Dtype::e4m3, {4, 128});
  ConstTensorView wrong = rows;
  wrong.dtype = Dtype::u8;
  EXPECT_EQ(score_tokens(wrong, rows).error().code, ErrorCode::wrong_dtype);
  EXPECT_EQ(score_tokens(rows, wrong).error().code, ErrorCode::wrong_dtype);
  wrong = *contiguous_view(std::span(bytes), Dtype::e4m3, {8, 64});
  EXPECT_THAT(score_tokens(rows, wrong).error().message,
              HasSubstr("keys shape: expected [*, 128], got [8, 64]"));
  wrong = *contiguous_view(std::span(bytes), Dtype::e4m3, {2, 256});
  EXPECT_THAT(score_tokens(wrong, wrong).error().message,
              HasSubstr("expected at most 128, got 256"));
}

}  // namespace
}  // namespace oracle
