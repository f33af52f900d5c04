#include "oracle/numbers/packed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "oracle/numbers/tests/formats_under_test.hpp"

namespace oracle {
namespace {

using T = PackedType;
constexpr std::array types{T::e2m1x4, T::e2m1p4x4, T::e2m3x4, T::e3m2x4,
                           T::e4m3x4, T::e5m2x4,   T::ue8m0x4};

PackedInstruction parsed(std::string_view text) { return parse_packed_instruction(text).value(); }

std::uint32_t lane0(std::string_view text, std::uint32_t a, std::uint32_t b, std::uint32_t c = 0,
                    const PackedPolicy& policy = ocp_packed) {
  return evaluate(parsed(text), a, b, c, policy).value() & 0xff;
}

// Every pair in every lane, with other pairs in the other lanes.
TEST(PackedTest, Qmul4IsTheWitnessesProductInEachLane) {
  for (std::uint32_t code = 0; code < 16; ++code) {
    for (std::uint32_t scale = 0; scale < 256; ++scale) {
      std::uint32_t a = 0;
      std::uint32_t b = 0;
      std::uint32_t expected = 0;
      for (std::uint32_t lane = 0; lane < 4; ++lane) {
        const std::uint32_t lane_code = (code + 5 * lane) % 16;
        const std::uint32_t lane_scale = (scale + 77 * lane) % 256;
        a |= lane_code << (4 * lane);
        b |= lane_scale << (8 * lane);
        expected |= witness::nearest(witness::Format::e4m3,
                                     witness::product_e2m1_e4m3(lane_code, lane_scale),
                                     witness::Mode::nearest_even, witness::Beyond::saturates)
                        .value()
                    << (8 * lane);
      }
      ASSERT_EQ(qmul4(static_cast<std::uint16_t>(a), b, ocp_packed), expected)
          << std::hex << a << " " << b;
      ASSERT_EQ(evaluate(qmul4_instruction, a, b, 0, ocp_packed).value(), expected);
    }
  }
}

TEST(PackedTest, LanesAreWhereTheTextPutsThem) {
  // 0.5 1 1.5 -2 as compact and as padded e2m1, times 1 2 4 8.
  EXPECT_EQ(qmul4(0xc321, 0x50484038, ocp_packed), 0xd84c4030U);
  EXPECT_EQ(evaluate(parsed("mul.e4m3x4.e2m1p4x4.e4m3x4.satfinite"), 0x0c030201, 0x50484038, 0,
                     ocp_packed)
                .value(),
            0xd84c4030U);
}

TEST(PackedTest, EveryTypeIsReadAsItsFormat) {
  // 1.0 in each type; times 2^1 as ue8m0 it is 2.0 = 0x40 in e4m3 and in e5m2.
  constexpr std::array<std::uint32_t, 7> one{0x2, 0x2, 0x08, 0x0c, 0x38, 0x3c, 0x7f};
  for (std::size_t i = 0; i < types.size(); ++i) {
    for (const T result : {T::e4m3x4, T::e5m2x4}) {
      EXPECT_EQ(
          evaluate({PackedOp::mul, result, types[i], T::ue8m0x4, true}, one[i], 0x80, 0, ocp_packed)
                  .value() &
              0xff,
          0x40U);
    }
  }
}

TEST(PackedTest, AddAndSubtractTakeTheResultTypeSecond) {
  EXPECT_EQ(lane0("add.rn.e4m3x4.e2m1x4", 0x3, 0x38), 0x42U);           // 1.5 + 1
  EXPECT_EQ(lane0("sub.satfinite.e5m2x4.e2m1p4x4", 0x3, 0x40), 0xb8U);  // 1.5 - 2
  EXPECT_EQ(lane0("sub.rn.e4m3x4.e4m3x4", 0x38, 0x38), 0x00U);          // exact zero is +0
  const auto wrong =
      evaluate({PackedOp::add, T::e4m3x4, T::e2m1x4, T::e5m2x4, true}, 0, 0, 0, ocp_packed);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::invalid_argument);
}

TEST(PackedTest, FmaRoundsOnceUnlessThePolicySaysOtherwise) {
  // 1.125 * 1.875 + 15 = 17.109375 rounds to 18. With the product rounded first, to 2, the sum is
  // 17, a tie that goes to 16.
  const std::string_view fma = "fma.rn.satfinite.e4m3x4.e4m3x4.e4m3x4";
  PackedPolicy twice = ocp_packed;
  twice.fma = PackedPolicy::Fma::rounds_product;
  EXPECT_EQ(lane0(fma, 0x39, 0x3f, 0x57), 0x59U);
  EXPECT_EQ(lane0(fma, 0x39, 0x3f, 0x57, twice), 0x58U);
}

TEST(PackedTest, WithoutSatfiniteThePolicyDecidesOverflow) {
  EXPECT_EQ(lane0("mul.rn.satfinite.e4m3x4.e2m1x4.e4m3x4", 0x7, 0x7e), 0x7eU);
  EXPECT_EQ(lane0("mul.rn.e4m3x4.e2m1x4.e4m3x4", 0x7, 0x7e), 0x7fU);
  EXPECT_EQ(lane0("mul.rn.e5m2x4.e2m1x4.e5m2x4", 0xf, 0x7b), 0xfcU);
  EXPECT_EQ(lane0("mul.rn.satfinite.e5m2x4.e2m1x4.e5m2x4", 0xf, 0x7c), 0xfbU);
  PackedPolicy signed_nan = ocp_packed;
  signed_nan.keep_overflow_sign = true;
  EXPECT_EQ(lane0("mul.rn.e4m3x4.e2m1x4.e4m3x4", 0xf, 0x7e), 0x7fU);
  EXPECT_EQ(lane0("mul.rn.e4m3x4.e2m1x4.e4m3x4", 0xf, 0x7e, 0, signed_nan), 0xffU);
  PackedPolicy saturating = ocp_packed;
  saturating.e4m3_overflow = Overflow::satfinite;
  EXPECT_EQ(lane0("mul.rn.e4m3x4.e2m1x4.e4m3x4", 0x7, 0x7e, 0, saturating), 0x7eU);
}

TEST(PackedTest, NanCodesComeFromThePolicy) {
  PackedPolicy policy = ocp_packed;
  const std::string_view mul = "mul.rn.satfinite.e4m3x4.e2m1x4.e4m3x4";
  EXPECT_EQ(lane0(mul, 0x0, 0xff), 0x7fU);
  policy.keep_nan_sign = true;
  EXPECT_EQ(lane0(mul, 0x0, 0xff, 0, policy), 0xffU);
  EXPECT_EQ(qmul4(0x0, 0xff, policy), 0x000000ffU);
  policy.e5m2_nan = 0x7e;
  EXPECT_EQ(lane0("mul.rn.satfinite.e5m2x4.e2m1x4.ue8m0x4", 0x0, 0xff, 0, policy), 0x7eU);
}

TEST(PackedTest, HighBitsAreIgnoredOrRejected) {
  PackedPolicy strict_bits = ocp_packed;
  strict_bits.high_bits = PackedPolicy::HighBits::rejected;
  const PackedInstruction padded = parsed("mul.e4m3x4.e2m1p4x4.e4m3x4");
  EXPECT_EQ(evaluate(padded, 0xf2f2f2f2, 0x38383838, 0, ocp_packed).value(), 0x38383838U);
  const auto rejected = evaluate(padded, 0x02f20202, 0x38383838, 0, strict_bits);
  ASSERT_FALSE(rejected);
  EXPECT_NE(rejected.error().message.find("operand a: lane 2"), std::string::npos);
  EXPECT_FALSE(evaluate(qmul4_instruction, 0x10000, 0, 0, ocp_packed));
}

// The spellings that the section allows: 2 results, 7 or 7 x 7 operand types, with and without
// .satfinite, with and without .rn.
TEST(PackedTest, The896SpellingsParseAndPrint) {
  std::set<std::string> spellings;
  for (const PackedOp op : {PackedOp::add, PackedOp::sub, PackedOp::mul, PackedOp::fma}) {
    for (const T result : {T::e4m3x4, T::e5m2x4}) {
      for (const T a : types) {
        for (const T b : types) {
          if ((op == PackedOp::add || op == PackedOp::sub) && b != result) continue;
          for (const bool satfinite : {false, true}) {
            const PackedInstruction instruction{op, result, a, b, satfinite};
            std::string text = spelling(instruction);
            spellings.insert(text);
            EXPECT_EQ(parsed(text), instruction) << text;
            text.erase(3, 3);  // ".rn"
            spellings.insert(text);
            EXPECT_EQ(parsed(text), instruction) << text;
          }
        }
      }
    }
  }
  EXPECT_EQ(spellings.size(), 896U);
  EXPECT_EQ(spelling(qmul4_instruction), "mul.rn.satfinite.e4m3x4.e2m1x4.e4m3x4");
}

TEST(PackedTest, WrongSpellingsAreErrors) {
  for (const char* text :
       {"", "mul", "div.rn.e4m3x4.e4m3x4", "mul.rz.e4m3x4.e2m1x4.e4m3x4", "mul.e4m3x4.e2m1x4",
        "add.e4m3x4.e2m1x4.e4m3x4", "mul.e2m1x4.e2m1x4.e4m3x4", "add.e4m3x4.e2m1x2",
        "mul.satfinite.e4m3x4.e2m1x4.e4m3x4.satfinite"}) {
    EXPECT_FALSE(parse_packed_instruction(text)) << text;
  }
}

}  // namespace
}  // namespace oracle
