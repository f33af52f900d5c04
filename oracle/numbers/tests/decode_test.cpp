#include "oracle/numbers/decode.hpp"

#include <gtest/gtest.h>

#include <array>

#include "oracle/numbers/tests/formats_under_test.hpp"

namespace oracle {
namespace {

template <class F>
class DecodeTest : public ::testing::Test {};
TYPED_TEST_SUITE(DecodeTest, testing_support::AllFormats, testing_support::FormatName);

TYPED_TEST(DecodeTest, EveryCodeIsWhatTheWitnessSays) {
  const FormatSpec& f = TypeParam::spec;
  const witness::Format w = testing_support::witness_format(f);
  const std::uint64_t step = code_bits(f) <= 16 ? 1 : 0x1003;
  for (std::uint64_t i = 0; i < num_codes(f); i += step) {
    const auto code = static_cast<std::uint32_t>(i);
    const Exact value = decode(f, code);
    const witness::Number expected = witness::number_of(w, code);
    const witness::Number got = testing_support::witness_number(value);
    ASSERT_EQ(got.kind, expected.kind) << describe_code(f, code);
    ASSERT_EQ(got.magnitude, expected.magnitude) << describe_code(f, code);
    if (!value.is_nan()) {
      ASSERT_EQ(got.negative, expected.negative) << describe_code(f, code);
    }
  }
}

TYPED_TEST(DecodeTest, ValuesAscendWithTheirCodes) {
  const FormatSpec& f = TypeParam::spec;
  Exact previous = decode(f, 0);
  for (const std::uint32_t code : testing_support::positive_codes(f)) {
    if (code == 0) continue;
    const Exact value = decode(f, code);
    ASSERT_LT(previous, value) << describe_code(f, code);
    previous = value;
  }
}

TYPED_TEST(DecodeTest, SignBitNegates) {
  const FormatSpec& f = TypeParam::spec;
  for (const std::uint32_t code : testing_support::positive_codes(f)) {
    if (f.sign_bits == 0) {
      ASSERT_FALSE(decode(f, code).negative()) << describe_code(f, code);
      continue;
    }
    if (is_nan(f, code | sign_mask(f))) continue;
    ASSERT_TRUE(identical(decode(f, code | sign_mask(f)), negate(decode(f, code))))
        << describe_code(f, code);
  }
}

TEST(DecodeTest, E2m1IsTheTableOfTheMxText) {
  constexpr std::array<int, 8> halves{0, 1, 2, 3, 4, 6, 8, 12};
  for (std::uint32_t code = 0; code < 8; ++code) {
    EXPECT_EQ(decode<e2m1>(code),
              Exact::finite(false, static_cast<std::uint64_t>(halves[code]), -1));
  }
  EXPECT_TRUE(identical(decode<e2m1>(0x8), Exact::zero(true)));
}

TEST(DecodeTest, NansCarryTheirSignBit) {
  EXPECT_TRUE(identical(decode<e4m3>(0xff), Exact::nan(true)));
  EXPECT_TRUE(identical(decode<e4m3>(0x7f), Exact::nan(false)));
  EXPECT_TRUE(identical(decode<f32>(0xffc00001), Exact::nan(true)));
}

TEST(DecodeTest, FnuzHasHalfTheValueAndOneNan) {
  for (std::uint32_t code = 1; code < 0x7f; ++code) {
    EXPECT_EQ(scale_by_power_of_two(decode<e4m3fnuz>(code), 1), decode<e4m3>(code));
  }
  EXPECT_EQ(decode<e4m3fnuz>(0x7f), Exact::integer(240));
  EXPECT_TRUE(decode<e4m3fnuz>(0x80).is_nan());
  EXPECT_EQ(decode<e4m3fnuz>(0xff), Exact::integer(-240));
}

TEST(DecodeTest, E8m0ZeroByteIsTheSmallestPower) {
  EXPECT_EQ(decode<e8m0>(0x00), Exact::power_of_two(-127));
  EXPECT_EQ(decode<e8m0>(0x7f), Exact::integer(1));
  EXPECT_EQ(decode<e8m0>(0xfe), Exact::power_of_two(127));
  EXPECT_TRUE(decode<e8m0>(0xff).is_nan());
}

}  // namespace
}  // namespace oracle
