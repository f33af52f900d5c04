#include "oracle/pages/gather.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "oracle/pages/tests/gather_call.hpp"

namespace oracle {
namespace {

using testing::Each;
using testing::HasSubstr;

// The element that the contract's formula names, straight from bytes of the pool.
std::uint32_t formula(const GatherCall& call, std::int64_t page, std::int64_t head, int token,
                      int element) {
  const PageLayout& layout = call.layout;
  const std::uint8_t* bytes = call.pool.data() + page * call.page_stride + head * call.head_stride;
  const int groups = layout.head_dim / layout.scale_block_size;
  const std::uint8_t pair = bytes[64 * token + element / 2];
  const auto code = static_cast<std::uint8_t>(element % 2 == 0 ? pair & 0xF : pair >> 4);
  const std::uint8_t scale = bytes[8192 + groups * token + element / layout.scale_block_size];
  return decode_element(layout.scale_format, code, scale, call.destination, profiles::ocp());
}

void expect_gathered(const GatherCall& call) {
  const std::size_t width = size_of(call.destination);
  std::vector<bool> written(call.out.size() / width, false);
  for (std::size_t r = 0; r < call.num_pages.size(); ++r) {
    for (std::int32_t p = 0; p < call.num_pages[r]; ++p) {
      const std::int32_t id = call.table[r * call.table_stride + static_cast<std::size_t>(p)];
      for (std::int64_t head = 0; head < call.num_heads; ++head) {
        for (int token = 0; token < 128; ++token) {
          for (int element = 0; element < 128; ++element) {
            const auto at = static_cast<std::size_t>(
                (((call.page_offsets[r] + p) * call.num_heads + head) * 128 + token) * 128 +
                element);
            std::uint32_t bits = 0;
            std::memcpy(&bits, call.out.data() + at * width, width);
            ASSERT_EQ(bits, formula(call, id, head, token, element))
                << "request " << r << " page " << p << " head " << head << " token " << token
                << " element " << element;
            written[at] = true;
          }
        }
      }
    }
  }
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i]) continue;
    for (std::size_t b = 0; b < width; ++b) {
      ASSERT_EQ(call.out[i * width + b], GatherCall::fill) << "element " << i;
    }
  }
}

TEST(GatherTest, Nvfp4FollowsTheFormulaAndWritesNothingElse) {
  GatherCall call(nvfp4_index_k, Dtype::e4m3);
  ASSERT_TRUE(nvfp4_gather_index_k(call.arguments(), profiles::ocp()).has_value());
  expect_gathered(call);
}

TEST(GatherTest, Mxfp4FollowsTheFormulaInEveryDestination) {
  for (const Dtype destination : all_destinations) {
    GatherCall call(mxfp4, destination);
    ASSERT_TRUE(mxfp4_gather_pages(call.arguments(), profiles::ocp()).has_value());
    expect_gathered(call);
  }
}

TEST(GatherTest, Mxfp4GathersHeads) {
  GatherCall call(mxfp4, Dtype::e4m3, 2);
  ASSERT_TRUE(mxfp4_gather_pages(call.arguments(), profiles::ocp()).has_value());
  expect_gathered(call);
}

TEST(GatherTest, EmptyInputsReturnAtOnceWithoutReadingAnything) {
  GatherCall call(nvfp4_index_k, Dtype::e4m3);
  GatherArguments arguments = call.arguments();
  arguments.max_num_pages = 0;  // although num_pages is not 0: contents are not looked at
  EXPECT_TRUE(nvfp4_gather_index_k(arguments, profiles::ocp()).has_value());
  arguments = call.arguments();
  arguments.num_pages.shape = {0};
  arguments.page_offsets.shape = {0};
  arguments.block_table.shape = {0, 4};
  arguments.num_pages.storage = {};
  arguments.page_offsets.storage = {};
  arguments.block_table.storage = {};
  EXPECT_TRUE(nvfp4_gather_index_k(arguments, profiles::ocp()).has_value());
  EXPECT_THAT(call.out, Each(GatherCall::fill));
}

TEST(GatherTest, EntriesBeyondNumPagesAreNotFollowed) {
  GatherCall call(nvfp4_index_k, Dtype::e4m3);
  call.table = {1, -1, 2147483647, 99, 2, 0, -7, -1};  // poison after the first page and the second
  call.num_pages = {1, 2};
  ASSERT_TRUE(nvfp4_gather_index_k(call.arguments(), profiles::ocp()).has_value());
  expect_gathered(call);
}

// docs/reported-faults.md G06: rows {3,1,-1,-1}, {2,0,-1,-1} of width 4 give pages 3,1 and 2,0.
TEST(GatherTest, PlanFollowsTheRowStride) {
  GatherCall call(nvfp4_index_k, Dtype::e4m3);
  call.table = {3, 1, -1, -1, 2, 0, -1, -1};
  call.num_pages = {2, 2};
  call.page_offsets = {0, 2};
  const auto plan = plan_gather(readers::nvfp4_gather_index_k, call.arguments(), profiles::ocp());
  ASSERT_TRUE(plan.has_value());
  std::vector<std::int64_t> ids;
  for (const PageMove& move : plan->moves) ids.push_back(move.page_id);
  EXPECT_THAT(ids, testing::ElementsAre(3, 1, 2, 0));
}

TEST(GatherTest, RowStrideZeroSharesOneRow) {
  GatherCall call(nvfp4_index_k, Dtype::e4m3);
  call.table_stride = 0;
  call.table = {3, 0, 1, 2};
  ASSERT_TRUE(nvfp4_gather_index_k(call.arguments(), profiles::ocp()).has_value());
  expect_gathered(call);
}

// Byte 2^31 falls in page 233,016 of NVFP4 and 246,723 of MXFP4; 2^32 in 466,033 and 493,447. A
// window of two pages around each stands for the whole pool.
TEST(GatherTest, PageIdsPastTwoAndFourGibReadThroughAWindow) {
  for (const PageLayout& layout : all_page_layouts) {
    const bool nvfp4 = layout.scale_format == e4m3::spec;
    for (const std::int32_t id : {nvfp4 ? 233017 : 246724, nvfp4 ? 466034 : 493448}) {
      GatherCall call(layout, Dtype::e4m3);
      GatherArguments near = call.arguments();
      const auto gather = nvfp4 ? nvfp4_gather_index_k : mxfp4_gather_pages;
      call.table = {0, 1, 0, 1, 1, 0, 1, 0};
      ASSERT_TRUE(gather(near, profiles::ocp()).has_value());
      const std::vector<std::uint8_t> expected = call.out;

      std::fill(call.out.begin(), call.out.end(), GatherCall::fill);
      for (std::int32_t& entry : call.table) entry += id;
      GatherArguments far = call.arguments();
      far.pages.shape[0] = std::int64_t{1} << 20;
      far.pages.origin_bytes = -id * call.page_stride;
      ASSERT_TRUE(gather(far, profiles::ocp()).has_value());
      EXPECT_EQ(call.out, expected);

      const auto plan = nvfp4 ? plan_gather(readers::nvfp4_gather_index_k, far, profiles::ocp())
                              : plan_gather(readers::mxfp4_gather_pages, far, profiles::ocp());
      EXPECT_EQ(plan->moves[0].source_bytes, std::int64_t{id} * call.page_stride);

      // The id is legal but its page is not stored: an error, not a read.
      call.table[0] = id - 1;
      const auto outside = gather(far, profiles::ocp());
      ASSERT_FALSE(outside.has_value());
      EXPECT_EQ(outside.error().code, ErrorCode::out_of_range);
      EXPECT_THAT(outside.error().message, HasSubstr("a part of the stored ["));
    }
  }
}

TEST(GatherTest, OutputPagesPastTwoGibWriteThroughAWindow) {
  GatherCall call(nvfp4_index_k, Dtype::e4m3);
  ASSERT_TRUE(nvfp4_gather_index_k(call.arguments(), profiles::ocp()).has_value());
  const std::vector<std::uint8_t> expected = call.out;
  std::fill(call.out.begin(), call.out.end(), GatherCall::fill);
  for (std::int32_t& offset : call.page_offsets) offset += 131072;
  GatherArguments far = call.arguments();
  far.out.shape[0] += 131072;
  far.out.origin_bytes = -(std::int64_t{1} << 31);
  ASSERT_TRUE(nvfp4_gather_index_k(far, profiles::ocp()).has_value());
  EXPECT_EQ(call.out, expected);
}

TEST(GatherTest, DenseProfileIgnoresThePageStride) {
  GatherCall call(nvfp4_index_k, Dtype::e4m3);
  Profile dense = profiles::ocp();
  dense.page_stride = PageStride::dense;
  EXPECT_EQ(
      plan_gather(readers::nvfp4_gather_index_k, call.arguments(), dense)->moves[0].source_bytes,
      3 * 9216);
  EXPECT_EQ(plan_gather(readers::nvfp4_gather_index_k, call.arguments(), profiles::ocp())
                ->moves[0]
                .source_bytes,
            3 * call.page_stride);
  GatherCall heads(mxfp4, Dtype::f32, 2);
  const auto plan = plan_gather(readers::mxfp4_gather_pages, heads.arguments(), dense);
  EXPECT_EQ(plan->moves[1].source_bytes, (3 * 2 + 1) * 8704);
}

TEST(GatherTest, ScaleOrderOfTheProfileIsFollowed) {
  Profile quads = profiles::ocp();
  quads.scale_order = ScaleOrderChoice::quads;
  GatherCall call(nvfp4_index_k, Dtype::e4m3);
  ASSERT_TRUE(nvfp4_gather_index_k(call.arguments(), quads).has_value());
  // Token 5, group 3: quad 1, offset 3*4 + 1.
  const std::uint8_t* page = call.pool.data() + 3 * call.page_stride;
  const auto code = static_cast<std::uint8_t>(page[64 * 5 + 24] & 0xF);
  EXPECT_EQ(call.out[static_cast<std::size_t>((1 * 128 + 5) * 128 + 48)],
            decode_element(e4m3::spec, code, page[8192 + 32 + 13], Dtype::e4m3, profiles::ocp()));
}

}  // namespace
}  // namespace oracle
