#include "oracle/blocks/block_scale.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "oracle/numbers/ieee.hpp"

namespace oracle {
namespace {

using testing::ElementsAre;

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

struct Block {
  std::uint8_t scale;
  std::vector<std::uint8_t> codes;
};
template <class Rule>
Block quantized(const std::vector<std::uint32_t>& elements, const Rule& rule) {
  Block block{0, std::vector<std::uint8_t>(elements.size())};
  block.scale = quantize_block(elements, rule, block.codes);
  return block;
}

// How many finite nonnegative f32 two scale rules differ for. Both rules are monotone (each is made
// of correctly rounded, monotone steps), so they differ exactly between the inputs at which each
// first reaches a byte; those are found by bisection.
template <class First, class Second>
std::uint64_t count_differences(First first, Second second) {
  const auto reaches = [](auto rule, int byte) {
    std::uint32_t below = 0;
    std::uint32_t end = ieee::f32_infinity;  // the first input that reaches `byte`, or infinity
    while (below < end) {
      const std::uint32_t middle = below + (end - below) / 2;
      if (rule(middle) >= byte) {
        end = middle;
      } else {
        below = middle + 1;
      }
    }
    return end;
  };
  std::uint64_t count = 0;
  std::uint32_t counted = 0;  // inputs below are settled
  for (int byte = 1; byte < 256; ++byte) {
    const std::uint32_t one = reaches(first, byte);
    const std::uint32_t other = reaches(second, byte);
    const std::uint32_t begin = std::min(one, other);
    const std::uint32_t end = std::max(one, other);
    if (end > counted) count += end - std::max(begin, counted);
    counted = std::max(counted, end);
  }
  return count;
}
auto scale_of(const Nvfp4Rule& rule) {
  return [rule](std::uint32_t amax) { return nvfp4_scale(amax, rule); };
}
auto scale_of(const Mxfp4Rule& rule) {
  return [rule](std::uint32_t amax) { return mxfp4_scale(amax, rule); };
}

// docs/engines.md section 0: midpoints and where a tie goes.
TEST(EncodeE2m1Test, TiesFollowTheRule) {
  const std::vector<float> midpoints{.25F, .75F, 1.25F, 1.75F, 2.5F, 3.5F, 5.F};
  const std::vector<std::vector<int>> expected{
      {0, 2, 2, 4, 4, 6, 6},  // to_even
      {0, 1, 2, 3, 4, 5, 6},  // toward_zero: DeepGEMM, differs at .75, 1.75, 3.5
      {1, 2, 3, 4, 5, 6, 7},  // away: docs/reported-faults.md Q01
  };
  const std::vector<Ties> ties{Ties::to_even, Ties::toward_zero, Ties::away};
  for (std::size_t t = 0; t < ties.size(); ++t) {
    for (std::size_t i = 0; i < midpoints.size(); ++i) {
      for (const bool negative : {false, true}) {
        const std::uint32_t middle = bits(midpoints[i]);
        const std::uint32_t sign = negative ? 0x80000000U : 0U;
        const int code_sign = negative ? 8 : 0;
        const ElementRule rule{.ties = ties[t]};
        const auto lower = static_cast<int>(i);
        EXPECT_EQ(encode_e2m1(decode<f32>(sign | middle), rule), code_sign + expected[t][i]);
        EXPECT_EQ(encode_e2m1(decode<f32>(sign | (middle - 1)), rule), code_sign + lower);
        EXPECT_EQ(encode_e2m1(decode<f32>(sign | (middle + 1)), rule), code_sign + lower + 1);
        const ElementRule minus{.ties = Ties::toward_minus};
        EXPECT_EQ(encode_e2m1(decode<f32>(sign | middle), minus),
                  code_sign + lower + (negative ? 1 : 0));
      }
    }
  }
}

// to_even is the oracle's own encode, over every bf16.
TEST(EncodeE2m1Test, TiesToEvenIsTheOrdinaryEncode) {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const Exact value = decode<bf16>(code);
    const auto ordinary =
        encode<e2m1>(value, Round::rne, Overflow::satfinite, e2m1_nan_is_signed_six);
    ASSERT_EQ(encode_e2m1(value, {.nan_code = NanToE2m1::signed_six}), ordinary.value()) << code;
  }
}

TEST(EncodeE2m1Test, SpecialValuesFollowTheRule) {
  EXPECT_EQ(encode_e2m1(Exact::infinity(false), {}), 0x7);
  EXPECT_EQ(encode_e2m1(Exact::infinity(true), {}), 0xf);
  EXPECT_EQ(encode_e2m1(Exact::zero(true), {}), 0x8);
  const ElementRule cleared{.negative_zero = NegativeZero::cleared};
  EXPECT_EQ(encode_e2m1(Exact::zero(true), cleared), 0x0);
  EXPECT_EQ(encode_e2m1(Exact::finite(true, 1, -9), cleared), 0x0) << "rounds to -0";
  EXPECT_EQ(encode_e2m1(Exact::finite(true, 1, -1), cleared), 0x9);
  const std::vector<std::pair<NanToE2m1, std::pair<int, int>>> nans{
      {NanToE2m1::plus_six, {7, 7}},   {NanToE2m1::signed_six, {7, 15}},
      {NanToE2m1::plus_zero, {0, 0}},  {NanToE2m1::signed_zero, {0, 8}},
      {NanToE2m1::minus_zero, {8, 8}},
  };
  for (const auto& [rule, codes] : nans) {
    EXPECT_EQ(encode_e2m1(Exact::nan(false), {.nan_code = rule}), codes.first);
    EXPECT_EQ(encode_e2m1(Exact::nan(true), {.nan_code = rule}), codes.second);
  }
}

// docs/reported-faults.md Q03: 3.75 carries into the top exponent and is 4, not 6.
TEST(EncodeE2m1Test, CarryIntoTheTopExponentIsNoOverflow) {
  EXPECT_EQ(encode_e2m1(decode<f32>(0x40700000), {}), 0x6);
}

TEST(BlockAmaxTest, IgnoresOrPropagatesNan) {
  const std::vector<std::uint32_t> block{bits(-3.F), 0x7fc00000, bits(2.F), 0xffc00001};
  EXPECT_EQ(block_amax(block, NanInAmax::ignored), bits(3.F));
  EXPECT_EQ(block_amax(block, NanInAmax::propagates), 0x7fc00000U);
  const std::vector<std::uint32_t> nans{0x7fc00000, 0xffc00000};
  EXPECT_EQ(block_amax(nans, NanInAmax::ignored), 0U);
  const std::vector<std::uint32_t> zeros{0x80000000, 0x00000000};
  EXPECT_EQ(block_amax(zeros, NanInAmax::ignored), 0U);
}

TEST(Nvfp4ScaleTest, VllmM3KeepsScalesBetween01And7e) {
  EXPECT_EQ(nvfp4_scale(0, vllm_m3), 0x01);
  EXPECT_EQ(nvfp4_scale(1, vllm_m3), 0x01);
  EXPECT_EQ(nvfp4_scale(bits(6.F), vllm_m3), 0x38);
  EXPECT_EQ(nvfp4_scale(bits(0.75F), vllm_m3), 0x20);  // X06
  EXPECT_EQ(nvfp4_scale(bits(2688.F), vllm_m3), 0x7e);
  EXPECT_EQ(nvfp4_scale(bits(3000.F), vllm_m3), 0x7e);  // Q10
  EXPECT_EQ(nvfp4_scale(0x7f800000, vllm_m3), 0x7e);
  for (std::uint32_t amax = 0; amax < 0x7f80; ++amax) {  // every finite bf16
    const std::uint8_t scale = nvfp4_scale(amax << 16, vllm_m3);
    ASSERT_GE(scale, 0x01);
    ASSERT_LE(scale, 0x7e);
  }
}

TEST(Nvfp4ScaleTest, GenericHasNoFloor) {
  EXPECT_EQ(nvfp4_scale(0, nvfp4_generic), 0x00);
  EXPECT_EQ(nvfp4_scale(bits(0.005F), nvfp4_generic), 0x00) << "0.005 / 6 is below 2^-10";
  EXPECT_EQ(nvfp4_scale(bits(6.F), nvfp4_generic), 0x38);
  EXPECT_EQ(nvfp4_scale(0x7fc00000, nvfp4_generic), 0x7f);
  EXPECT_EQ(nvfp4_scale(0x7f800000, nvfp4_generic), 0x7e);
}

// docs/engines.md section d: a writer that floors amax at 6*2^-9 and has no floor of the scale.
TEST(Nvfp4ScaleTest, AmaxFloorAloneKeepsTheScaleFromZero) {
  Nvfp4Rule rule = nvfp4_generic;
  rule.amax_floor_f32 = 0x3c400000;  // 6 * 2^-9
  EXPECT_EQ(nvfp4_scale(0, rule), 0x01);
  EXPECT_EQ(nvfp4_scale(0x3c3fffff, rule), 0x01);
  EXPECT_EQ(nvfp4_scale(bits(6.F), rule), 0x38);
}

// docs/engines.md 0.1: E4M3(amax/6) against E4M3(amax*RN(1/6)): 0 differ over every bf16 and f16
// amax, and the f32 amax 44e3ffff is one of the 15 that do.
TEST(Nvfp4ScaleTest, QuotientAndProductDifferInF32Only) {
  Nvfp4Rule quotient = nvfp4_generic;
  quotient.sixth = Sixth::quotient;
  for (const Dtype dtype : {Dtype::bf16, Dtype::f16}) {
    const std::uint32_t infinity = dtype == Dtype::bf16 ? 0x7f80 : 0x7c00;
    for (std::uint32_t code = 0; code < infinity; ++code) {
      const std::uint32_t amax = ieee::widen(code, dtype);
      ASSERT_EQ(nvfp4_scale(amax, quotient), nvfp4_scale(amax, nvfp4_generic)) << code;
    }
  }
  EXPECT_EQ(count_differences(scale_of(quotient), scale_of(nvfp4_generic)), 15U);
  EXPECT_NE(nvfp4_scale(0x44e3ffff, quotient), nvfp4_scale(0x44e3ffff, nvfp4_generic));
}

// docs/engines.md 0.1: over 126 scales x all nonnegative finite x, the code from x/s against
// x*RN(1/s): 42 pairs differ for bf16 x, 42 for f16 x; the bf16 ones are exact ties at 1.25, 2.5 or
// 5 (14 each) pushed upward; with the product rounded toward zero none differs.
TEST(Nvfp4CodeTest, QuotientAndReciprocalDifferIn42Pairs) {
  Nvfp4Rule quotient;
  Nvfp4Rule nearest;
  nearest.code_from = CodeFrom::reciprocal_product;
  Nvfp4Rule cut;
  cut.code_from = CodeFrom::reciprocal_product_to_zero;
  for (const Dtype dtype : {Dtype::bf16, Dtype::f16}) {
    const std::uint32_t infinity = dtype == Dtype::bf16 ? 0x7f80 : 0x7c00;
    int differ_nearest = 0;
    int differ_cut = 0;
    std::vector<int> ties(8, 0);
    for (int scale = 0x01; scale <= 0x7e; ++scale) {
      const auto s = static_cast<std::uint8_t>(scale);
      for (std::uint32_t code = 0; code < infinity; ++code) {
        const std::uint32_t x = ieee::widen(code, dtype);
        const std::uint8_t by_quotient = nvfp4_code(x, s, x, quotient);
        if (by_quotient != nvfp4_code(x, s, x, nearest)) {
          ++differ_nearest;
          ++ties[by_quotient];
          ASSERT_EQ(nvfp4_code(x, s, x, nearest), by_quotient + 1) << "pushed upward";
        }
        differ_cut += by_quotient != nvfp4_code(x, s, x, cut) ? 1 : 0;
      }
    }
    EXPECT_EQ(differ_nearest, 42) << name_of(dtype);
    EXPECT_EQ(differ_cut, 0) << name_of(dtype);
    if (dtype == Dtype::bf16) {
      EXPECT_THAT(ties, ElementsAre(0, 0, 14, 0, 14, 0, 14, 0));
    }
  }
  EXPECT_EQ(nvfp4_code(0x3e160000, 0x0f, 0, quotient), 6) << "bf16 3e16 under 0f is exactly 5";
  EXPECT_EQ(nvfp4_code(0x3e160000, 0x0f, 0, nearest), 7);
}

// docs/reported-faults.md Q13.
TEST(Nvfp4CodeTest, OneF32StepBelowAMidpoint) {
  EXPECT_EQ(nvfp4_code(0x3cc3ffff, 0x07, 0x3cc3ffff, vllm_m3), 3);
  EXPECT_EQ(nvfp4_code(0x3cc3ffff, 0x07, 0x3cc3ffff, nvfp4_generic), 4);
}

// docs/engines.md section b: flashinfer's guard looks at amax, so a scale that underflowed makes
// the multiplier infinite.
TEST(Nvfp4CodeTest, GuardOnAmaxMakesAnInfiniteMultiplier) {
  Nvfp4Rule rule = nvfp4_generic;
  const std::uint32_t tiny = bits(1e-6F);
  EXPECT_EQ(nvfp4_code(tiny, 0x00, tiny, rule), 0x0);
  EXPECT_EQ(nvfp4_code(0x7fc00000, 0x00, tiny, rule), 0x7) << "NaN x 0";
  rule.zero_multiplier = ZeroMultiplier::amax_is_zero;
  EXPECT_EQ(nvfp4_code(tiny, 0x00, tiny, rule), 0x7);
  EXPECT_EQ(nvfp4_code(tiny | 0x80000000U, 0x00, tiny, rule), 0xf);
  EXPECT_EQ(nvfp4_code(0, 0x00, tiny, rule), 0x7) << "0 x infinity is NaN, +6";
  EXPECT_EQ(nvfp4_code(0, 0x00, 0, rule), 0x0);
  rule.nan_code = NanToE2m1::signed_six;
  EXPECT_EQ(nvfp4_code(0x80000000, 0x00, tiny, rule), 0xf) << "the sign of the element";
}

TEST(Nvfp4BlockTest, PublicCases) {
  Nvfp4Rule propagating = nvfp4_generic;  // Q08's policy: a NaN makes the scale NaN
  propagating.nan_in_amax = NanInAmax::propagates;
  propagating.nan_code = NanToE2m1::plus_zero;
  const auto q08 = quantized({0x3f800000, 0x7fc00000}, propagating);
  EXPECT_EQ(q08.scale, 0x7f);
  EXPECT_THAT(q08.codes, ElementsAre(0, 0));
  EXPECT_EQ(quantized({0x3f800000, 0x7fc00000}, nvfp4_generic).scale, 0x23) << "fmaxf";

  const auto q09 = quantized({0x00000000, 0x80000000}, nvfp4_generic);
  EXPECT_EQ(q09.scale, 0x00);
  EXPECT_THAT(q09.codes, ElementsAre(0, 8));

  for (const Nvfp4Rule& rule : {vllm_m3, nvfp4_generic}) {
    const auto q10 = quantized({0x453b8000}, rule);
    EXPECT_EQ(q10.scale, 0x7e);
    EXPECT_THAT(q10.codes, ElementsAre(7));
    const auto q20 = quantized({0x40c00000, 0x3f800000}, rule);
    EXPECT_EQ(q20.scale, 0x38);
    EXPECT_THAT(q20.codes, ElementsAre(7, 2));
  }
}

TEST(Nvfp4BlockTest, VllmM3ClearsZerosAndMakesNanSix) {
  const auto block = quantized(
      {0x80000000, bits(-0.001F), 0x7fc00000, 0xffc00000, bits(6.F), bits(-1.F)}, vllm_m3);
  EXPECT_EQ(block.scale, 0x38);
  EXPECT_THAT(block.codes, ElementsAre(0, 0, 7, 7, 7, 0xa));
  const auto infinite = quantized({0x7f800000, bits(448.F), 0xff800000}, vllm_m3);
  EXPECT_EQ(infinite.scale, 0x7e);
  EXPECT_THAT(infinite.codes, ElementsAre(7, 2, 15));
}

TEST(Mxfp4ScaleTest, PublicCases) {
  EXPECT_EQ(mxfp4_scale(0x40e00000, mxfp4_ocp_floor), 0x7f);  // Q04.1, amax 7
  EXPECT_EQ(mxfp4_scale(0x40e00000, mxfp4_aiter), 0x80);
  EXPECT_EQ(mxfp4_scale(0x40600000, mxfp4_even), 0x7f);  // Q04.2, amax 3.5
  EXPECT_EQ(mxfp4_scale(0x40600000, mxfp4_ocp_floor), 0x7e);
  EXPECT_EQ(mxfp4_scale(0x40c00001, mxfp4_ocp_floor), 0x7f);  // Q04.3
  EXPECT_EQ(mxfp4_scale(0x40c00001, mxfp4_aiter), 0x80);
  EXPECT_EQ(mxfp4_scale(0x407fffff, mxfp4_ocp_floor), 0x7e);  // Q06
  EXPECT_EQ(mxfp4_scale(0x3727c5ac, mxfp4_aiter), 0x6c);      // Q16
  EXPECT_EQ(mxfp4_scale(0x00000001, mxfp4_even), 0x00);       // Q17
  // Q07: the power of two at or above 16.000002 is 2^5: an amax of six times it.
  EXPECT_EQ(mxfp4_scale(ieee::multiply(0x41800001, ieee::f32_six, Round::rne), mxfp4_aiter), 0x84);
}

// docs/design.md section 3.4: the formulas on a power of two, on 1.5, 1.75 times it, and one step
// above.
TEST(Mxfp4ScaleTest, ModesDifferWhereTheFormulasSay) {
  for (std::uint32_t e = 10; e < 250; ++e) {
    const std::uint32_t two_to = e << 23;
    const std::uint32_t one_and_half = two_to + 0x400000;
    const std::uint32_t one_and_three_quarters = two_to + 0x600000;
    EXPECT_EQ(mxfp4_scale(two_to, mxfp4_ocp_floor), e - 2);
    EXPECT_EQ(mxfp4_scale(two_to + 0x7fffff, mxfp4_ocp_floor), e - 2);
    EXPECT_EQ(mxfp4_scale(two_to, mxfp4_ceil), e - 2);
    EXPECT_EQ(mxfp4_scale(two_to + 1, mxfp4_ceil), e - 1);
    EXPECT_EQ(mxfp4_scale(one_and_three_quarters - 1, mxfp4_even), e - 2);
    EXPECT_EQ(mxfp4_scale(one_and_three_quarters, mxfp4_even), e - 1);
    EXPECT_EQ(mxfp4_scale(one_and_half, mxfp4_aiter), e - 2) << "6 x 2^k";
    EXPECT_EQ(mxfp4_scale(one_and_half + 1, mxfp4_aiter), e - 1);
  }
}

// docs/engines.md section c: RoundUp by division differs for no bf16 or f16 amax, and for the one
// f32 00000003.
TEST(Mxfp4ScaleTest, RoundUpByQuotientDiffersForOneInput) {
  Mxfp4Rule quotient = mxfp4_aiter;
  quotient.sixth = Sixth::quotient;
  for (const Dtype dtype : {Dtype::bf16, Dtype::f16}) {
    const std::uint32_t infinity = dtype == Dtype::bf16 ? 0x7f80 : 0x7c00;
    for (std::uint32_t code = 0; code < infinity; ++code) {
      const std::uint32_t amax = ieee::widen(code, dtype);
      ASSERT_EQ(mxfp4_scale(amax, quotient), mxfp4_scale(amax, mxfp4_aiter)) << code;
    }
  }
  EXPECT_EQ(count_differences(scale_of(quotient), scale_of(mxfp4_aiter)), 1U);
  EXPECT_NE(mxfp4_scale(0x00000003, quotient), mxfp4_scale(0x00000003, mxfp4_aiter));
}

// docs/engines.md section c: subtracting 2 from the exponent instead of scaling by 0.25 differs in
// RoundDown for the one f32 017fffff, in Ceil for 0 < amax <= 2^-125 (01 against 00). That is so
// but for the two smallest subnormals, whose quarter rounds to zero: both give 00 there.
TEST(Mxfp4ScaleTest, QuarterByExponentDiffersWhereDocumented) {
  Mxfp4Rule floor = mxfp4_ocp_floor;
  floor.quarter = Quarter::exponent;
  Mxfp4Rule ceil = mxfp4_ceil;
  ceil.quarter = Quarter::exponent;
  EXPECT_EQ(count_differences(scale_of(floor), scale_of(mxfp4_ocp_floor)), 1U);
  EXPECT_NE(mxfp4_scale(0x017fffff, floor), mxfp4_scale(0x017fffff, mxfp4_ocp_floor));
  const std::uint32_t two_to_minus_125 = 0x01000000;
  EXPECT_EQ(count_differences(scale_of(ceil), scale_of(mxfp4_ceil)), two_to_minus_125 - 2);
  EXPECT_EQ(mxfp4_scale(2, mxfp4_ceil), 0x00);
  EXPECT_EQ(mxfp4_scale(3, mxfp4_ceil), 0x01);
  EXPECT_EQ(mxfp4_scale(3, ceil), 0x00);
  EXPECT_EQ(mxfp4_scale(two_to_minus_125, mxfp4_ceil), 0x01);
  EXPECT_EQ(mxfp4_scale(two_to_minus_125, ceil), 0x00);
}

TEST(Mxfp4ScaleTest, NonfiniteAmaxFollowsTheRule) {
  const std::uint32_t infinity = 0x7f800000;
  const std::uint32_t nan = 0x7fc00000;
  for (Mxfp4Rule rule : {mxfp4_aiter, mxfp4_ocp_floor, mxfp4_even, mxfp4_ceil}) {
    EXPECT_EQ(mxfp4_scale(infinity, rule), 0xff);
    EXPECT_EQ(mxfp4_scale(nan, rule), 0xff);
  }
  Mxfp4Rule even = mxfp4_even;
  even.nonfinite_scale = NonfiniteScale::from_bits;
  EXPECT_EQ(mxfp4_scale(infinity, even), 0xfd);
  EXPECT_EQ(mxfp4_scale(0x7fdfffff, even), 0xfd);
  EXPECT_EQ(mxfp4_scale(0x7fe00000, even), 0x00) << "carries out of the exponent";
  Mxfp4Rule flydsl = mxfp4_ocp_floor;
  flydsl.nonfinite_scale = NonfiniteScale::from_bits;
  flydsl.quarter = Quarter::exponent;
  EXPECT_EQ(mxfp4_scale(infinity, flydsl), 0xfd);
  flydsl.mode = ScaleMode::ceil;
  EXPECT_EQ(mxfp4_scale(infinity, flydsl), 0xfd);
  EXPECT_EQ(mxfp4_scale(nan, flydsl), 0xfe);
  flydsl.mode = ScaleMode::round_up;
  EXPECT_EQ(mxfp4_scale(infinity, flydsl), 0xff);
  EXPECT_EQ(mxfp4_scale(nan, flydsl), 0xff);
}

// docs/engines.md sections c and j: the byte of an all-zero block.
TEST(Mxfp4ScaleTest, ZeroBlockIs00Or01Or70) {
  EXPECT_EQ(mxfp4_scale(0, mxfp4_aiter), 0x00);
  EXPECT_EQ(mxfp4_scale(0, mxfp4_dsv4), 0x01);
  EXPECT_EQ(mxfp4_scale(0, mxfp4_deepgemm), 0x70);
  // "00 comes only from a zero group or amax of at most 2 smallest subnormals"
  EXPECT_EQ(mxfp4_scale(2, mxfp4_aiter), 0x00);
  EXPECT_EQ(mxfp4_scale(4, mxfp4_aiter), 0x01);
}

// "In RoundUp nothing saturates": no element of the block exceeds 6 x scale. Every bf16 amax whose
// scale is finite.
TEST(Mxfp4ScaleTest, RoundUpNeverSaturates) {
  for (std::uint32_t code = 1; code < 0x7f80; ++code) {
    const std::uint32_t amax = code << 16;
    const std::uint8_t scale = mxfp4_scale(amax, mxfp4_aiter);
    const Exact scaled = scale_by_power_of_two(decode<f32>(amax), 127 - scale);
    ASSERT_TRUE(scaled <= Exact::integer(6)) << code;
  }
}

TEST(Mxfp4BlockTest, PublicCases) {
  const auto q12 = quantized({bits(5.F), bits(1.F)}, mxfp4_aiter);
  EXPECT_EQ(q12.scale, 0x7f);
  EXPECT_THAT(q12.codes, ElementsAre(6, 2));
  const auto q16 = quantized({0x3727c5ac}, mxfp4_aiter);
  EXPECT_EQ(q16.scale, 0x6c);
  EXPECT_THAT(q16.codes, ElementsAre(7));
  const auto faulty_q16 = quantized({0x3727c5ac}, mxfp4_deepgemm);
  EXPECT_EQ(faulty_q16.scale, 0x70) << "the floor of 1e-4";
  EXPECT_THAT(faulty_q16.codes, ElementsAre(1));
  Mxfp4Rule propagating = mxfp4_ocp_floor;
  propagating.nan_in_amax = NanInAmax::propagates;
  propagating.nan_code = NanToE2m1::plus_zero;
  const auto q08 = quantized({0x3f800000, 0x7fc00000}, propagating);
  EXPECT_EQ(q08.scale, 0xff);
  EXPECT_THAT(q08.codes, ElementsAre(0, 0));
  EXPECT_EQ(quantized({0x3f800000, 0x7fc00000}, mxfp4_ocp_floor).scale, 0x7d) << "fmaxf";
}

TEST(Mxfp4CodeTest, SubnormalsAreNotFlushedAndNanScaleIsNan) {
  EXPECT_EQ(mxfp4_code(0x00200000, 0x00, mxfp4_aiter), 1) << "2^-128 under 2^-127";
  EXPECT_EQ(mxfp4_code(0x00400000, 0x00, mxfp4_aiter), 2);
  EXPECT_EQ(mxfp4_code(0x80100000, 0x00, mxfp4_aiter), 8) << "-2^-129: a tie to -0";
  EXPECT_EQ(mxfp4_code(bits(-1.F), 0xff, mxfp4_aiter), 0xf);
  EXPECT_EQ(mxfp4_code(bits(1.F), 0xff, mxfp4_aiter), 0x7);
  EXPECT_EQ(mxfp4_code(0xff800000, 0x7f, mxfp4_aiter), 0xf);
  EXPECT_EQ(mxfp4_code(bits(1e30F), 0x00, mxfp4_aiter), 0x7);
}

}  // namespace
}  // namespace oracle
