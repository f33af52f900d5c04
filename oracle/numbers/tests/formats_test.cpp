#include "oracle/numbers/formats.hpp"

#include <gtest/gtest.h>

#include <set>

#include "oracle/numbers/tests/formats_under_test.hpp"

namespace oracle {
namespace {

template <class F>
class FormatsTest : public ::testing::Test {};
TYPED_TEST_SUITE(FormatsTest, testing_support::AllFormats, testing_support::FormatName);

TYPED_TEST(FormatsTest, IsListedOnceAndFoundByName) {
  const FormatSpec& f = TypeParam::spec;
  int listed = 0;
  for (const FormatSpec& other : all_formats) listed += other.name == f.name ? 1 : 0;
  EXPECT_EQ(listed, 1);
  EXPECT_EQ(find_format(f.name).value(), f);
}

TYPED_TEST(FormatsTest, LimitsAreTheWitnessesLimits) {
  const FormatSpec& f = TypeParam::spec;
  const witness::Format w = testing_support::witness_format(f);
  const std::uint32_t smallest = has_zero(f) ? 1 : 0;
  EXPECT_EQ(testing_support::witness_number(max_finite(f)).magnitude,
            witness::number_of(w, max_finite_code(f)).magnitude);
  EXPECT_EQ(testing_support::witness_number(min_positive(f)).magnitude,
            witness::number_of(w, smallest).magnitude);
}

TYPED_TEST(FormatsTest, SpecialCodesAreTheWitnessesSpecialCodes) {
  const FormatSpec& f = TypeParam::spec;
  const witness::Format w = testing_support::witness_format(f);
  const std::uint64_t step = code_bits(f) <= 16 ? 1 : 0x101;
  for (std::uint64_t i = 0; i < num_codes(f); i += step) {
    const auto code = static_cast<std::uint32_t>(i);
    const auto kind = witness::number_of(w, code).kind;
    ASSERT_EQ(is_nan(f, code), kind == witness::Number::Kind::nan) << hex_code(f, code);
    ASSERT_EQ(is_infinity(f, code), kind == witness::Number::Kind::infinite) << hex_code(f, code);
  }
}

TEST(FormatsTest, AllFormatsHaveDifferentNames) {
  std::set<std::string_view> names;
  for (const FormatSpec& f : all_formats) names.insert(f.name);
  EXPECT_EQ(names.size(), all_formats.size());
}

TEST(FormatsTest, UnknownNameListsTheKnownOnes) {
  const Result<FormatSpec> f = find_format("e4m4");
  ASSERT_FALSE(f);
  EXPECT_EQ(f.error().code, ErrorCode::unknown_name);
  EXPECT_NE(f.error().message.find("'e4m4'"), std::string::npos);
  EXPECT_NE(f.error().message.find("e4m3fnuz"), std::string::npos);
}

}  // namespace
}  // namespace oracle
