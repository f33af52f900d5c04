#include "oracle/pages/page_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "oracle/pages/page_layout.hpp"

namespace oracle {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(MxfpPageViewsTest, PagesWithHeadsBecomeDataAndScale) {
  std::vector<std::uint8_t> bytes(std::size_t{6} * 8704);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  const TensorView pages = *contiguous_view(std::span(bytes), Dtype::u8, {2, 3, 8704});
  const auto views = mxfp4_page_views(pages);
  ASSERT_TRUE(views.has_value());
  EXPECT_EQ(views->data.shape, (Extents{2, 3, 128, 64}));
  EXPECT_EQ(views->data.strides, (Extents{26112, 8704, 64, 1}));
  EXPECT_EQ(views->scale.shape, (Extents{2, 3, 128, 4}));
  EXPECT_EQ(views->scale.strides, (Extents{26112, 8704, 4, 1}));
  EXPECT_EQ(views->data.origin_bytes, 0);
  EXPECT_EQ(views->scale.origin_bytes, 8192);
  EXPECT_EQ(views->data.storage.data(), bytes.data()) << "no copy";
  EXPECT_EQ(views->scale.storage.data(), bytes.data()) << "no copy";
}

TEST(MxfpPageViewsTest, PagesWithoutHeadsAndASinglePageWork) {
  std::vector<std::uint8_t> bytes(17408);
  const ConstTensorView pages = *contiguous_view(std::span(bytes), Dtype::u8, {2, 8704});
  EXPECT_EQ(mxfp4_page_views(pages)->data.shape, (Extents{2, 128, 64}));
  EXPECT_EQ(mxfp4_page_views(*select(pages, 1))->scale.shape, (Extents{128, 4}));
  EXPECT_EQ(mxfp4_page_views(*select(pages, 1))->scale.origin_bytes, 8704 + 8192);
}

// Every byte of a padded, permuted pool is reached through exactly the view it belongs to.
TEST(MxfpPageViewsTest, ViewsAgreeWithTheLayoutUnderAnyLeadingStrides) {
  constexpr std::int64_t page_stride = 8712;             // not a multiple of the page, nor of 16
  constexpr std::int64_t head_stride = 3 * page_stride;  // heads outermost in memory
  std::vector<std::uint8_t> bytes(std::size_t{6} * page_stride);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 131 >> 3);
  const ConstTensorView pages{bytes, Dtype::u8, {3, 2, 8704}, {page_stride, head_stride, 1}, 0};
  const auto views = mxfp4_page_views(pages);
  ASSERT_TRUE(views.has_value());
  for (int page = 0; page < 3; ++page) {
    for (int head = 0; head < 2; ++head) {
      const auto* start = bytes.data() + page * page_stride + head * head_stride;
      const auto codes = as_matrix(*select(*select(views->data, page), head));
      const auto scales = as_matrix(*select(*select(views->scale, page), head));
      ASSERT_TRUE(codes.has_value() && scales.has_value());
      for (int token = 0; token < 128; ++token) {
        for (int b = 0; b < 64; ++b) {
          ASSERT_EQ((*codes)(token, b), start[mxfp4.code_offset(token, 2 * b)]);
        }
        for (int group = 0; group < 4; ++group) {
          ASSERT_EQ((*scales)(token, group), start[mxfp4.scale_offset(token, group)]);
        }
      }
    }
  }
}

TEST(MxfpPageViewsTest, WrittenViewsWriteThePage) {
  std::vector<std::uint8_t> bytes(8704);
  const TensorView page = *contiguous_view(std::span(bytes), Dtype::u8, {8704});
  (*as_matrix(mxfp4_page_views(page)->scale))(127, 3) = 0x7f;
  EXPECT_EQ(bytes.back(), 0x7f);
}

TEST(MxfpPageViewsTest, ErrorsStateDtypeAndLastAxis) {
  std::vector<std::uint8_t> bytes(17408);
  const ConstTensorView right = *contiguous_view(std::span(bytes), Dtype::u8, {8704});

  ConstTensorView wrong = right;
  wrong.dtype = Dtype::e4m3;
  const auto dtype = mxfp4_page_views(wrong);
  ASSERT_FALSE(dtype.has_value());
  EXPECT_EQ(dtype.error().code, ErrorCode::wrong_dtype);
  EXPECT_EQ(dtype.error().message,
            "mxfp4_page_views: pages: expected dtype U8 and last axis 8704, "
            "got dtype F8_E4M3 and last axis 8704");

  wrong = *contiguous_view(std::span(bytes), Dtype::u8, {1, 9216});
  const auto axis = mxfp4_page_views(wrong);
  ASSERT_FALSE(axis.has_value());
  EXPECT_EQ(axis.error().code, ErrorCode::wrong_shape);
  EXPECT_EQ(axis.error().message,
            "mxfp4_page_views: pages: expected dtype U8 and last axis 8704, "
            "got dtype U8 and last axis 9216");

  wrong = right;
  wrong.shape.clear();
  wrong.strides.clear();
  EXPECT_EQ(mxfp4_page_views(wrong).error().code, ErrorCode::wrong_shape);
  EXPECT_THAT(mxfp4_page_views(wrong).error().message, HasSubstr("last axis missing"));

  wrong = right;
  wrong.strides = {2};
  const auto stride = mxfp4_page_views(wrong);
  ASSERT_FALSE(stride.has_value());
  EXPECT_EQ(stride.error().code, ErrorCode::wrong_stride);
  EXPECT_THAT(stride.error().message,
              AllOf(HasSubstr("byte axis"), HasSubstr("stride 1"), HasSubstr("got stride 2")));
}

TEST(SelectTest, IndexesTheOutermostAxis) {
  std::vector<std::uint8_t> bytes(24);
  const ConstTensorView view = *contiguous_view(std::span(bytes), Dtype::i32, {2, 3});
  const auto row = select(view, 1);
  ASSERT_TRUE(row.has_value());
  EXPECT_EQ(row->origin_bytes, 12);
  EXPECT_EQ(row->shape, Extents{3});
  EXPECT_EQ(select(view, 2).error().code, ErrorCode::out_of_range);
  EXPECT_EQ(select(view, -1).error().code, ErrorCode::out_of_range);
  EXPECT_EQ(select(*select(*row, 0), 0).error().code, ErrorCode::wrong_shape);
}

TEST(AsMatrixTest, RefusesWhatIsNoMatrixOfStoredBytes) {
  std::vector<std::uint8_t> bytes(12);
  ConstTensorView view = *contiguous_view(std::span(bytes), Dtype::u8, {3, 4});
  EXPECT_TRUE(as_matrix(view).has_value());
  view.shape = {4, 4};
  EXPECT_EQ(as_matrix(view).error().code, ErrorCode::out_of_range);
  view.shape = {12};
  EXPECT_EQ(as_matrix(view).error().code, ErrorCode::wrong_shape);
  view = *contiguous_view(std::span(bytes), Dtype::i32, {3, 1});
  EXPECT_EQ(as_matrix(view).error().code, ErrorCode::wrong_dtype);
  view = *contiguous_view(std::span(bytes), Dtype::u8, {3, 4});
  view.strides = {-4, 1};
  EXPECT_EQ(as_matrix(view).error().code, ErrorCode::wrong_stride);
}

}  // namespace
}  // namespace oracle
