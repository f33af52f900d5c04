// Products of a 4-bit code and a block scale, over all 16 x 256 pairs: against the witness, and
// against counts that were made without either.

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <tuple>

#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/numbers/tests/formats_under_test.hpp"
#include "oracle/pages/product.hpp"

namespace oracle {
namespace {

template <Format Scale>
Exact product(std::uint32_t code, std::uint32_t scale) {
  return multiply(decode<e2m1>(code), decode<Scale>(scale));
}

template <Format F>
std::uint32_t to(const Exact& x, Round mode = Round::rne) {
  return encode<F>(x, mode, F::spec.infinities ? Overflow::to_inf : Overflow::satfinite, strict)
      .value();
}

// The bits of a f32 operation: its exact result, rounded once to nearest even.
Exact f32_rne(const Exact& x) { return decode<f32>(to<f32>(x)); }

template <class F>
class ElementProductTest : public ::testing::Test {};
using Destinations = ::testing::Types<e4m3, f32, f16, bf16>;
TYPED_TEST_SUITE(ElementProductTest, Destinations, testing_support::FormatName);

TYPED_TEST(ElementProductTest, Nvfp4PairsAreWhatTheWitnessSays) {
  const witness::Format w = testing_support::witness_format(TypeParam::spec);
  const auto beyond =
      TypeParam::spec.infinities ? witness::Beyond::infinity : witness::Beyond::saturates;
  for (std::uint32_t code = 0; code < 16; ++code) {
    for (std::uint32_t scale = 0; scale < 256; ++scale) {
      ASSERT_EQ(to<TypeParam>(product<e4m3>(code, scale)),
                witness::nearest(w, witness::product_e2m1_e4m3(code, scale),
                                 witness::Mode::nearest_even, beyond))
          << "code " << hex_code(e2m1::spec, code) << ", scale " << hex_code(e4m3::spec, scale);
    }
  }
}

TYPED_TEST(ElementProductTest, Mxfp4PairsAreWhatTheWitnessSays) {
  const witness::Format w = testing_support::witness_format(TypeParam::spec);
  const auto beyond =
      TypeParam::spec.infinities ? witness::Beyond::infinity : witness::Beyond::saturates;
  for (std::uint32_t code = 0; code < 16; ++code) {
    for (std::uint32_t scale = 0; scale < 256; ++scale) {
      ASSERT_EQ(to<TypeParam>(product<e8m0>(code, scale)),
                witness::nearest(w, witness::product_e2m1_e8m0(code, scale),
                                 witness::Mode::nearest_even, beyond))
          << "code " << hex_code(e2m1::spec, code) << ", scale " << hex_code(e8m0::spec, scale);
    }
  }
}

// The readers of pages go through decode_element; under profile ocp it is the same arithmetic.
TEST(ElementProductTest, PageReadersGiveTheWitnessesCodes) {
  using W = witness::Format;
  for (std::uint32_t code = 0; code < 16; ++code) {
    for (std::uint32_t scale = 0; scale < 256; ++scale) {
      const std::array numbers{witness::product_e2m1_e4m3(code, scale),
                               witness::product_e2m1_e8m0(code, scale)};
      for (const std::size_t i : {0U, 1U}) {
        const auto check = [&](Dtype destination, W format, witness::Beyond beyond) {
          ASSERT_EQ(
              decode_element(i == 0 ? e4m3::spec : e8m0::spec, static_cast<std::uint8_t>(code),
                             static_cast<std::uint8_t>(scale), destination, profiles::ocp()),
              witness::nearest(format, numbers.at(i), witness::Mode::nearest_even, beyond))
              << (i == 0 ? "nvfp4" : "mxfp4") << " code " << code << " scale " << scale;
        };
        check(Dtype::e4m3, W::e4m3, witness::Beyond::saturates);
        check(Dtype::f32, W::f32, witness::Beyond::infinity);
        check(Dtype::f16, W::f16, witness::Beyond::infinity);
        check(Dtype::bf16, W::bf16, witness::Beyond::infinity);
      }
    }
  }
}

// What the e4m3 rounding of the 8 x 127 products of magnitudes does.
class ProductCensusTest : public ::testing::Test {
 protected:
  struct Pair {
    std::uint32_t code;
    std::uint32_t scale;
    Exact value;
    Encoding rne;
  };

  ProductCensusTest() {
    for (std::uint32_t code = 0; code < 8; ++code) {
      for (std::uint32_t scale = 0; scale < 0x7f; ++scale) {
        const Exact value = product<e4m3>(code, scale);
        pairs_.push_back(
            {code, scale, value,
             encode_traced(e4m3::spec, value, Round::rne, Overflow::satfinite, strict).value()});
      }
    }
  }

  std::vector<Pair> pairs_;
};

TEST_F(ProductCensusTest, StepsAreAsCounted) {
  std::map<Step, int> count;
  for (const Pair& p : pairs_) ++count[p.rne.step];
  EXPECT_EQ(pairs_.size(), 1016U);
  EXPECT_EQ(count[Step::exact], 741);
  EXPECT_EQ(count[Step::tie_down] + count[Step::tie_up], 95);
  EXPECT_EQ(count[Step::down], 78);
  EXPECT_EQ(count[Step::up], 39);
  EXPECT_EQ(count[Step::overflow], 63);
}

TEST_F(ProductCensusTest, TiesPerCodeAreAsCounted) {
  std::array<int, 8> ties{};
  for (const Pair& p : pairs_) {
    if (p.rne.step == Step::tie_down || p.rne.step == Step::tie_up) ++ties.at(p.code);
  }
  EXPECT_EQ(ties, (std::array<int, 8>{0, 8, 0, 33, 0, 28, 0, 26}));
}

TEST_F(ProductCensusTest, SaturationBeginsAtTheKnownScales) {
  std::map<std::uint32_t, std::uint32_t> first;
  for (const Pair& p : pairs_) {
    if (p.rne.step == Step::overflow) first.emplace(p.code, p.scale);
  }
  EXPECT_EQ(first, (std::map<std::uint32_t, std::uint32_t>{
                       {3, 0x7a}, {4, 0x77}, {5, 0x72}, {6, 0x6f}, {7, 0x6a}}));
}

TEST_F(ProductCensusTest, OneNonzeroProductBecomesZero) {
  std::vector<std::tuple<std::uint32_t, std::uint32_t>> vanished;
  for (const Pair& p : pairs_) {
    if (!p.value.is_zero() && p.rne.code == 0) vanished.emplace_back(p.code, p.scale);
  }
  EXPECT_EQ(vanished, (std::vector<std::tuple<std::uint32_t, std::uint32_t>>{{1, 1}}));
}

TEST_F(ProductCensusTest, TruncationDiffersIn87Pairs) {
  int differ = 0;
  for (const Pair& p : pairs_) {
    differ += to<e4m3>(p.value, Round::rtz) != p.rne.code ? 1 : 0;
  }
  EXPECT_EQ(differ, 87);
}

TEST_F(ProductCensusTest, ProductsHaveSixBitsAndAreExactInF32F16AndBf16) {
  for (const Pair& p : pairs_) {
    if (p.value.is_zero()) continue;
    ASSERT_LE(p.value.significant_bits(), 6);
    ASSERT_GE(p.value, Exact::power_of_two(-10));
    ASSERT_LE(p.value, Exact::integer(2688));
    ASSERT_EQ(decode<f32>(to<f32>(p.value)), p.value);
    ASSERT_EQ(decode<f16>(to<f16>(p.value)), p.value);
    ASSERT_EQ(decode<bf16>(to<bf16>(p.value)), p.value);
  }
}

TEST(ElementProductTest, OneReturnsTheScaleByte) {
  for (std::uint32_t scale = 0; scale < 256; ++scale) {
    if (is_nan(e4m3::spec, scale)) continue;
    EXPECT_EQ(to<e4m3>(product<e4m3>(0x2, scale)), scale);
  }
}

TEST(ElementProductTest, MinusZeroTakesTheSignOfTheScale) {
  for (std::uint32_t scale = 0; scale < 0x7f; ++scale) {
    EXPECT_EQ(to<e4m3>(product<e4m3>(0x8, scale)), 0x80U);
    EXPECT_EQ(to<e4m3>(product<e4m3>(0x8, scale | 0x80)), 0x00U);
  }
}

TEST(ElementProductTest, NanScalesGiveNanForEveryCode) {
  for (std::uint32_t code = 0; code < 16; ++code) {
    EXPECT_EQ(to<e4m3>(product<e4m3>(code, 0x7f)), 0x7fU);
    EXPECT_EQ(to<e4m3>(product<e4m3>(code, 0xff)), 0x7fU);
    EXPECT_EQ(to<e4m3>(product<e8m0>(code, 0xff)), 0x7fU);
  }
}

TEST(ElementProductTest, E8m0EndsAreDecodedInFull) {
  EXPECT_EQ(to<f32>(product<e8m0>(0x1, 0x00)), 0x00200000U);
  EXPECT_EQ(to<bf16>(product<e8m0>(0x1, 0x00)), 0x0020U);
  EXPECT_EQ(to<f32>(product<e8m0>(0x7, 0xfe)), 0x7f800000U);
  EXPECT_EQ(to<bf16>(product<e8m0>(0xf, 0xfe)), 0xff80U);
  EXPECT_EQ(to<e4m3>(product<e8m0>(0x7, 0xfe)), 0x7eU);
  for (std::uint32_t scale = 1; scale < 0xff; ++scale) {
    EXPECT_EQ(to<f32>(decode<e8m0>(scale)), scale << 23);
  }
  EXPECT_EQ(to<f32>(decode<e8m0>(0)), 0x00400000U);
}

TEST(ElementProductTest, ReciprocalOfSixIsTheKnownF32) {
  EXPECT_EQ(to<f32>(divide(Exact::integer(1), Exact::integer(6))), 0x3e2aaaabU);
}

// Codes of x/s, of x times the rounded reciprocal, and of that product rounded toward zero, for all
// positive scales and all x of a 16-bit format: how many pairs of the last two differ from the
// first.
template <Format Source>
void CountReciprocalDifferences(std::map<std::uint32_t, int>& nearest_by_tie, int& toward_zero) {
  for (std::uint32_t scale = 1; scale < 0x7f; ++scale) {
    const Exact s = decode<e4m3>(scale);
    const Exact reciprocal = f32_rne(divide(Exact::integer(1), s));
    for (std::uint32_t bits = 0; bits <= max_finite_code(Source::spec); ++bits) {
      const Exact x = decode<Source>(bits);
      const Exact quotient = f32_rne(divide(x, s));
      const Exact exact_product = multiply(x, reciprocal);
      const Exact truncated = decode<f32>(to<f32>(exact_product, Round::rtz));
      const std::uint32_t code = to<e2m1>(quotient);
      if (to<e2m1>(f32_rne(exact_product)) != code) {
        ++nearest_by_tie[to<f32>(quotient)];
      }
      if (to<e2m1>(truncated) != code) ++toward_zero;
    }
  }
}

TEST(ElementProductTest, ReciprocalMovesBf16CodesInTheCountedPairs) {
  std::map<std::uint32_t, int> by_quotient;
  int toward_zero = 0;
  CountReciprocalDifferences<bf16>(by_quotient, toward_zero);
  // Exactly the ties 1.25, 2.5 and 5, 14 each.
  EXPECT_EQ(by_quotient,
            (std::map<std::uint32_t, int>{{0x3fa00000, 14}, {0x40200000, 14}, {0x40a00000, 14}}));
  EXPECT_EQ(toward_zero, 0);
}

TEST(ElementProductTest, ReciprocalMovesF16CodesInTheCountedPairs) {
  std::map<std::uint32_t, int> by_quotient;
  int toward_zero = 0;
  CountReciprocalDifferences<f16>(by_quotient, toward_zero);
  int differ = 0;
  for (const auto& [quotient, count] : by_quotient) differ += count;
  EXPECT_EQ(differ, 42);
  EXPECT_EQ(toward_zero, 0);
}

// amax/6 against amax * RN(1/6): no difference in the e4m3 scale for any bf16 or f16 amax.
template <Format Source>
int SixthDifferences() {
  const Exact sixth = decode<f32>(0x3e2aaaab);
  int differ = 0;
  for (std::uint32_t bits = 1; bits <= max_finite_code(Source::spec); ++bits) {
    const Exact amax = decode<Source>(bits);
    differ += to<e4m3>(f32_rne(divide(amax, Exact::integer(6)))) !=
                      to<e4m3>(f32_rne(multiply(amax, sixth)))
                  ? 1
                  : 0;
  }
  return differ;
}

TEST(ElementProductTest, DividingBySixOrMultiplyingIsTheSameForSixteenBitAmax) {
  EXPECT_EQ(SixthDifferences<bf16>(), 0);
  EXPECT_EQ(SixthDifferences<f16>(), 0);
  // And a f32 amax for which it is not.
  const Exact amax = decode<f32>(0x44e3ffff);
  EXPECT_NE(to<e4m3>(f32_rne(divide(amax, Exact::integer(6)))),
            to<e4m3>(f32_rne(multiply(amax, decode<f32>(0x3e2aaaab)))));
}

}  // namespace
}  // namespace oracle
