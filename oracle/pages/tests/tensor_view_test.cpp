#include "oracle/pages/tensor_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

namespace oracle {
namespace {

using testing::HasSubstr;

constexpr std::int64_t max64 = std::numeric_limits<std::int64_t>::max();

TEST(TensorViewTest, ContiguousStridesCountElementsInside) {
  EXPECT_EQ(contiguous_strides({3, 128, 72}), (Extents{9216, 72, 1}));
  EXPECT_EQ(contiguous_strides({0, 5}), (Extents{5, 1}));
  EXPECT_EQ(contiguous_strides({}), Extents{});
  EXPECT_EQ(element_count({3, 4, 5}), 60);
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({max64, 2}), max64) << "saturates";
}

TEST(TensorViewTest, ViewOfABufferNeedsRoom) {
  std::vector<std::uint8_t> bytes(24);
  const auto view = contiguous_view(std::span(bytes), Dtype::i32, {2, 3});
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->strides, (Extents{3, 1}));
  const auto small = contiguous_view(std::span(bytes), Dtype::i64, {2, 3});
  ASSERT_FALSE(small.has_value());
  EXPECT_EQ(small.error().code, ErrorCode::too_small);
  EXPECT_THAT(small.error().message, HasSubstr("I64[2, 3]: expected at least 48 bytes"));
  EXPECT_THAT(small.error().message, HasSubstr("got 24"));
}

TEST(TensorViewTest, WindowHoldsOnlyItsBytes) {
  std::vector<std::uint8_t> bytes(100);
  // Element 0 lies 5,000,000,000 bytes before the storage.
  const ConstTensorView window{bytes, Dtype::u8, {6000000000}, {1}, -5000000000};
  EXPECT_TRUE(holds(window, 5000000000, 100));
  EXPECT_TRUE(holds(window, 5000000099, 1));
  EXPECT_FALSE(holds(window, 4999999999, 1));
  EXPECT_FALSE(holds(window, 5000000001, 100));
  EXPECT_FALSE(holds(window, 0, 1));
  EXPECT_FALSE(holds(window, max64, 100));
  EXPECT_FALSE(holds(window, 5000000000, max64));
  EXPECT_EQ(bytes_at(window, 5000000003, 2).data(), bytes.data() + 3);
}

TEST(TensorViewTest, OffsetsThatLeave64BitsAreNone) {
  EXPECT_EQ(offset_of(std::array<std::int64_t, 2>{2, 3}, std::array<std::int64_t, 2>{10, 1}), 23);
  EXPECT_EQ(offset_of(std::array{max64}, std::array<std::int64_t, 1>{2}), std::nullopt);
  EXPECT_EQ(offset_of(std::array{max64, max64}, std::array<std::int64_t, 2>{1, 1}), std::nullopt);
}

TEST(TensorViewTest, IntegersAreLittleEndianAndNeedNoAlignment) {
  std::array<std::uint8_t, 9> bytes{0xAA, 1, 2, 3, 4};
  EXPECT_EQ(load<std::int32_t>(std::span(bytes).subspan(1)), 0x04030201);
  store<std::int32_t>(std::span(bytes).subspan(3), -2);
  EXPECT_THAT(bytes, testing::ElementsAre(0xAA, 1, 2, 0xFE, 0xFF, 0xFF, 0xFF, 0, 0));
}

TEST(TensorViewTest, ExtentsPrintWithStarsForAny) {
  EXPECT_EQ(to_text({-1, 128, 72}), "[*, 128, 72]");
  EXPECT_EQ(to_text({}), "[]");
}

TEST(DtypeTest, SizesAndNamesFollowSafetensors) {
  EXPECT_EQ(size_of(Dtype::e4m3), 1U);
  EXPECT_EQ(size_of(Dtype::bf16), 2U);
  EXPECT_EQ(size_of(Dtype::f32), 4U);
  EXPECT_EQ(size_of(Dtype::i64), 8U);
  std::vector<std::string_view> names;
  names.reserve(all_dtypes.size());
  for (const Dtype dtype : all_dtypes) names.push_back(name_of(dtype));
  EXPECT_THAT(names, testing::ElementsAre("U8", "U16", "U32", "I32", "I64", "F8_E4M3", "F16",
                                          "BF16", "F32", "F8_E5M2", "F8_E8M0", "E2M1"));
  for (const Dtype dtype : all_dtypes) EXPECT_EQ(dtype_named(name_of(dtype)), dtype);
  EXPECT_EQ(dtype_named("F64"), std::nullopt);
}

}  // namespace
}  // namespace oracle
