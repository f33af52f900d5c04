#include "oracle/pages/decode_pages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace oracle {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

std::vector<std::uint8_t> random_bytes(std::int64_t count) {
  std::mt19937 random(7);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

struct Poke {
  const PageLayout* layout;
  int offset;
  std::uint8_t value;
  int token, element;
  std::uint8_t expected;
};

// The public layout cases (docs/reported-faults.md group L, "probe page"): all codes 2, all
// scales 1.0, one byte poked, one output byte looked at.
TEST(DecodePageTest, ProbePagesGiveThePublicBytes) {
  const std::vector<Poke> pokes{
      {&nvfp4_index_k, 0, 0x21, 0, 0, 0x30},     {&mxfp4, 0, 0x21, 0, 0, 0x30},      // L01, L16
      {&nvfp4_index_k, 0, 0x21, 0, 16, 0x38},    {&mxfp4, 0, 0x21, 0, 32, 0x38},     // L04
      {&nvfp4_index_k, 16, 0x21, 0, 32, 0x30},                                       // L05
      {&nvfp4_index_k, 8192, 0x40, 0, 15, 0x40}, {&mxfp4, 8192, 0x80, 0, 31, 0x40},  // L07
      {&nvfp4_index_k, 8192, 0x40, 0, 16, 0x38}, {&mxfp4, 8192, 0x80, 0, 32, 0x38},  // L08
      {&mxfp4, 8192, 0x80, 0, 16, 0x40},                                             // L09
      {&nvfp4_index_k, 8196, 0x40, 0, 64, 0x40}, {&mxfp4, 8196, 0x80, 1, 0, 0x40},   // L12
      {&nvfp4_index_k, 8193, 0x40, 0, 16, 0x40}, {&mxfp4, 8193, 0x80, 0, 32, 0x40},  // L13
  };
  for (const Poke& poke : pokes) {
    const PageLayout& layout = *poke.layout;
    std::vector<std::uint8_t> page(static_cast<std::size_t>(layout.page_bytes()), 0x22);
    std::fill(page.begin() + 8192, page.end(),
              layout.scale_format == e4m3::spec ? std::uint8_t{0x38} : std::uint8_t{0x7F});
    page[static_cast<std::size_t>(poke.offset)] = poke.value;
    std::vector<std::uint8_t> out(16384, 0xA7);
    decode_page(layout, page, Dtype::e4m3, out, profiles::ocp());
    EXPECT_EQ(out[static_cast<std::size_t>(poke.token * 128 + poke.element)], poke.expected)
        << layout.name << " byte " << poke.offset << " token " << poke.token << " element "
        << poke.element;
  }
}

TEST(DecodePagesTest, DecodesEveryPageOfAnyLeadingStrides) {
  // [2, 3] pages, the outer axis inside the inner one in memory, a gap of 8 bytes after each page.
  const std::vector<std::uint8_t> bytes = random_bytes(std::int64_t{6} * 8712);
  const ConstTensorView pages{bytes, Dtype::u8, {2, 3, 8704}, {8712, 17424, 1}, 0};
  for (const Dtype destination : all_destinations) {
    const std::int64_t page_bytes = decoded_page_bytes(mxfp4, destination);
    std::vector<std::uint8_t> out(static_cast<std::size_t>(6 * page_bytes), 0xA7);
    const TensorView view = *contiguous_view(std::span(out), destination, {2, 3, 128, 128});
    ASSERT_TRUE(mxfp4_decode_pages(pages, view, profiles::ocp()).has_value());
    std::vector<std::uint8_t> one(static_cast<std::size_t>(page_bytes));
    for (std::int64_t i = 0; i < 2; ++i) {
      for (std::int64_t j = 0; j < 3; ++j) {
        decode_page(mxfp4,
                    std::span(bytes).subspan(static_cast<std::size_t>(8712 * (i + 2 * j)), 8704),
                    destination, one, profiles::ocp());
        EXPECT_TRUE(std::equal(one.begin(), one.end(), out.begin() + (3 * i + j) * page_bytes))
            << name_of(destination) << " page " << i << ", " << j;
      }
    }
  }
}

TEST(DecodePagesTest, OnePageWithoutLeadingAxesAndNoPagesAtAll) {
  const std::vector<std::uint8_t> bytes = random_bytes(8704);
  std::vector<std::uint8_t> out(16384, 0xA7);
  EXPECT_TRUE(mxfp4_decode_pages(*contiguous_view(std::span(bytes), Dtype::u8, {0, 8704}),
                                 *contiguous_view(std::span(out), Dtype::e4m3, {0, 128, 128}),
                                 profiles::ocp())
                  .has_value());
  EXPECT_THAT(out, Each(0xA7));
  EXPECT_TRUE(mxfp4_decode_pages(*contiguous_view(std::span(bytes), Dtype::u8, {8704}),
                                 *contiguous_view(std::span(out), Dtype::e4m3, {128, 128}),
                                 profiles::ocp())
                  .has_value());
  std::vector<std::uint8_t> one(16384);
  decode_page(mxfp4, bytes, Dtype::e4m3, one, profiles::ocp());
  EXPECT_EQ(out, one);
}

TEST(DecodePagesTest, ScaleOrderOfTheProfileIsFollowed) {
  const std::vector<std::uint8_t> bytes = random_bytes(8704);
  Profile swizzled = profiles::ocp();
  swizzled.scale_order = ScaleOrderChoice::swizzle_128x4;
  std::vector<std::uint8_t> out(32768), one(32768);
  ASSERT_TRUE(mxfp4_decode_pages(*contiguous_view(std::span(bytes), Dtype::u8, {8704}),
                                 *contiguous_view(std::span(out), Dtype::bf16, {128, 128}),
                                 swizzled)
                  .has_value());
  decode_page(with_scale_order(mxfp4, ScaleOrderChoice::swizzle_128x4), bytes, Dtype::bf16, one,
              profiles::ocp());
  EXPECT_EQ(out, one);
}

TEST(DecodePagesTest, DenseProfileIgnoresLeadingStrides) {
  const std::vector<std::uint8_t> bytes = random_bytes(std::int64_t{6} * 8712);
  std::vector<std::uint8_t> out(std::size_t{6} * 16384);
  const ConstTensorView pages{bytes, Dtype::u8, {2, 3, 8704}, {26136, 8712, 1}, 0};
  const ConstTensorView to = *contiguous_view(std::span(out), Dtype::e4m3, {2, 3, 128, 128});
  Profile dense = profiles::ocp();
  dense.page_stride = PageStride::dense;
  EXPECT_EQ(plan_mxfp4_decode_pages(pages, to, profiles::ocp())->moves[4].source_bytes,
            26136 + 8712);
  EXPECT_EQ(plan_mxfp4_decode_pages(pages, to, dense)->moves[4].source_bytes, 4 * 8704);
}

TEST(DecodePagesTest, ViolationsAreNamed) {
  std::vector<std::uint8_t> bytes = random_bytes(17408);
  std::vector<std::uint8_t> out(32768, 0xA7);
  const ConstTensorView pages =
      *contiguous_view(std::span<const std::uint8_t>(bytes), Dtype::u8, {2, 8704});
  const TensorView to = *contiguous_view(std::span(out), Dtype::e4m3, {2, 128, 128});
  const auto expect = [&](const ConstTensorView& from, const TensorView& into, ErrorCode code,
                          const std::string& argument, const std::string& expected,
                          const std::string& actual) {
    const auto result = mxfp4_decode_pages(from, into, profiles::ocp());
    ASSERT_FALSE(result.has_value()) << argument;
    EXPECT_EQ(result.error().code, code) << result.error().message;
    EXPECT_THAT(result.error().message,
                AllOf(HasSubstr("mxfp4_decode_pages: " + argument),
                      HasSubstr("expected " + expected), HasSubstr("got " + actual)));
    EXPECT_THAT(out, Each(0xA7));
  };
  ConstTensorView from = pages;
  from.dtype = Dtype::u16;
  expect(from, to, ErrorCode::wrong_dtype, "pages dtype", "U8", "U16");
  from = pages;
  from.shape = {2, 9216};
  expect(from, to, ErrorCode::wrong_shape, "pages shape", "[*, 8704]", "[2, 9216]");
  from.shape = {};
  from.strides = {};
  expect(from, to, ErrorCode::wrong_shape, "pages shape", "[8704]", "[]");
  from = pages;
  from.strides = {8704, 3};
  expect(from, to, ErrorCode::wrong_stride, "pages strides", "[*, 1]", "[8704, 3]");
  TensorView into = to;
  into.dtype = Dtype::i64;
  expect(pages, into, ErrorCode::wrong_dtype, "out dtype", "F8_E4M3 or F32 or BF16 or F16", "I64");
  into = to;
  into.shape = {3, 128, 128};
  expect(pages, into, ErrorCode::wrong_shape, "out shape", "[2, 128, 128]", "[3, 128, 128]");
  into = to;
  into.strides = {16384, 129, 1};
  expect(pages, into, ErrorCode::wrong_stride, "out strides", "[16384, 128, 1]", "[16384, 129, 1]");
  from = pages;
  from.storage = from.storage.first(8704 + 8703);
  expect(from, to, ErrorCode::out_of_range, "pages bytes", "a part of the stored [0, 17407)",
         "[8704, 17408)");
  into = to;
  into.storage = into.storage.first(20000);
  expect(pages, into, ErrorCode::out_of_range, "out bytes", "a part of the stored [0, 20000)",
         "[16384, 32768)");
}

}  // namespace
}  // namespace oracle
