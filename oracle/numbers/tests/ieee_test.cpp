#include "oracle/numbers/ieee.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

namespace oracle {
namespace {

// Bits that edges are made of, and random ones.
std::vector<std::uint32_t> operands() {
  std::vector<std::uint32_t> all{0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x00800001,
                                 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3e2aaaab, 0x40c00000,
                                 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7f800001, 0x3b000000};
  std::mt19937 random(4);
  for (int i = 0; i < 400; ++i) all.push_back(static_cast<std::uint32_t>(random()) & 0x7fffffffU);
  for (int i = 0; i < 400; ++i) {  // magnitudes near one
    all.push_back(0x3f000000U + (static_cast<std::uint32_t>(random()) & 0xffffffU));
  }
  const std::size_t count = all.size();
  for (std::size_t i = 0; i < count; ++i) all.push_back(all[i] | 0x80000000U);
  return all;
}

// The host's f32 is an outside witness here: IEEE 754, to nearest even.
TEST(IeeeTest, ProductsAndQuotientsAgreeWithTheHost) {
  const auto all = operands();
  for (const std::uint32_t x : all) {
    for (const std::uint32_t y : all) {
      const auto a = std::bit_cast<float>(x);
      const auto b = std::bit_cast<float>(y);
      const std::uint32_t product = ieee::multiply(x, y, Round::rne);
      const std::uint32_t quotient = ieee::divide(x, y, Round::rne);
      if (std::isnan(a * b)) {
        ASSERT_TRUE(ieee::is_nan(product)) << x << " * " << y;
      } else {
        ASSERT_EQ(product, std::bit_cast<std::uint32_t>(a * b)) << x << " * " << y;
      }
      if (std::isnan(a / b)) {
        ASSERT_TRUE(ieee::is_nan(quotient)) << x << " / " << y;
      } else {
        ASSERT_EQ(quotient, std::bit_cast<std::uint32_t>(a / b)) << x << " / " << y;
      }
    }
  }
}

TEST(IeeeTest, TowardZeroIsBelowOrAtNearest) {
  EXPECT_EQ(ieee::multiply(0x3fffffff, 0x3fffffff, Round::rne), 0x407ffffeU);
  EXPECT_EQ(ieee::multiply(0x3f800001, 0x3fc00000, Round::rtz), 0x3fc00001U) << "1.5 ulp cut";
  EXPECT_EQ(ieee::multiply(0x3f800001, 0x3fc00000, Round::rne), 0x3fc00002U) << "tie to even";
}

TEST(IeeeTest, EveryF16AndBf16WidensExactly) {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const std::uint32_t from_bf16 = ieee::widen(code, Dtype::bf16);
    const std::uint32_t from_f16 = ieee::widen(code, Dtype::f16);
    if (is_nan(bf16::spec, code)) {
      ASSERT_TRUE(ieee::is_nan(from_bf16));
    } else {
      ASSERT_EQ(from_bf16, code << 16);
    }
    if (is_nan(f16::spec, code)) {
      ASSERT_TRUE(ieee::is_nan(from_f16));
    } else {
      ASSERT_TRUE(decode<f32>(from_f16) == decode<f16>(code)) << code;
    }
    ASSERT_EQ(ieee::is_negative(from_bf16), (code >> 15) != 0);
    ASSERT_EQ(ieee::is_negative(from_f16), (code >> 15) != 0);
  }
  EXPECT_EQ(ieee::widen(0xdeadbeef, Dtype::f32), 0xdeadbeefU);
}

}  // namespace
}  // namespace oracle
