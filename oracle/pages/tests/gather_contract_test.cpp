// What a gather refuses, and the three facts of each message: what, where, expected and actual.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "oracle/pages/gather.hpp"
#include "oracle/pages/tests/gather_call.hpp"

namespace oracle {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

// One violation of the contract: what is broken, the error's code, and the three facts that its
// message must have.
struct Violation {
  std::string name;
  std::function<void(GatherCall&, GatherArguments&)> change;
  ErrorCode code;
  std::string argument, expected, actual;
};

void expect_violations(const PageLayout& layout, std::int64_t num_heads,
                       Result<void> (*gather)(const GatherArguments&, const Profile&),
                       const std::vector<Violation>& violations) {
  GatherCall right(layout, Dtype::e4m3, num_heads);
  ASSERT_TRUE(gather(right.arguments(), profiles::ocp()).has_value());
  for (const Violation& v : violations) {
    GatherCall call(layout, Dtype::e4m3, num_heads);
    GatherArguments arguments = call.arguments();
    v.change(call, arguments);
    const auto result = gather(arguments, profiles::ocp());
    ASSERT_FALSE(result.has_value()) << v.name;
    EXPECT_EQ(result.error().code, v.code) << v.name << ": " << result.error().message;
    EXPECT_THAT(result.error().message,
                AllOf(HasSubstr(v.argument), HasSubstr("expected " + v.expected),
                      HasSubstr("got " + v.actual)))
        << v.name;
    EXPECT_THAT(call.out, Each(GatherCall::fill)) << v.name << ": a failed call wrote";
  }
}

// Violations that both gathers share.
std::vector<Violation> shared_violations() {
  using Call = GatherCall&;
  using Args = GatherArguments&;
  return {
      {"table dtype", [](Call, Args a) { a.block_table.dtype = Dtype::i64; },
       ErrorCode::wrong_dtype, "block_table dtype", "I32", "I64"},
      {"table rank",
       [](Call, Args a) {
         a.block_table.shape = {2, 4, 1};
       },
       ErrorCode::wrong_shape, "block_table shape", "[2, *]", "[2, 4, 1]"},
      {"table rows",
       [](Call, Args a) {
         a.block_table.shape = {3, 4};
       },
       ErrorCode::wrong_shape, "block_table shape", "[2, *]", "[3, 4]"},
      {"table inner stride",
       [](Call, Args a) {
         a.block_table.strides = {4, 2};
       },
       ErrorCode::wrong_stride, "block_table strides", "[*, 1]", "[4, 2]"},
      {"num_pages dtype", [](Call, Args a) { a.num_pages.dtype = Dtype::i64; },
       ErrorCode::wrong_dtype, "num_pages dtype", "I32", "I64"},
      {"num_pages rank",
       [](Call, Args a) {
         a.num_pages.shape = {2, 1};
       },
       ErrorCode::wrong_shape, "num_pages shape", "[*]", "[2, 1]"},
      {"num_pages stride", [](Call, Args a) { a.num_pages.strides = {2}; }, ErrorCode::wrong_stride,
       "num_pages strides", "[1]", "[2]"},
      {"page_offsets dtype", [](Call, Args a) { a.page_offsets.dtype = Dtype::u32; },
       ErrorCode::wrong_dtype, "page_offsets dtype", "I32", "U32"},
      {"page_offsets length", [](Call, Args a) { a.page_offsets.shape = {1}; },
       ErrorCode::wrong_shape, "page_offsets shape", "[2]", "[1]"},
      {"page_offsets stride", [](Call, Args a) { a.page_offsets.strides = {0}; },
       ErrorCode::wrong_stride, "page_offsets strides", "[1]", "[0]"},
      {"negative max_num_pages", [](Call, Args a) { a.max_num_pages = -1; },
       ErrorCode::invalid_argument, "max_num_pages", "at least 0", "-1"},
      {"negative num_pages", [](Call c, Args) { c.num_pages[1] = -1; }, ErrorCode::invalid_argument,
       "num_pages[1]", "at least 0", "-1"},
      {"num_pages above max", [](Call, Args a) { a.max_num_pages = 2; },
       ErrorCode::invalid_argument, "num_pages[0]", "at most max_num_pages, 2", "3"},
      {"num_pages above the table", [](Call c, Args) { c.num_pages[0] = 5; },
       ErrorCode::out_of_range, "num_pages[0]", "at most the width of block_table, 4", "5"},
      {"negative page_offsets", [](Call c, Args) { c.page_offsets[1] = -1; },
       ErrorCode::out_of_range, "page_offsets[1]", "at least 0", "-1"},
      {"overlapping output", [](Call c, Args) { c.page_offsets[1] = 2; },
       ErrorCode::invalid_argument, "page_offsets[1] = 2", "output pages of its own",
       "pages that request 0 writes, [1, 4)"},
      {"too few pages for the sum", [](Call, Args a) { a.out.shape[0] = 3; }, ErrorCode::too_small,
       "out shape", "at least 4 pages, the sum of num_pages", "3"},
      {"output ends too early", [](Call, Args a) { a.out.shape[0] = 5; }, ErrorCode::too_small,
       "out shape", "at least 6 pages for request 1 at page offset 5", "5"},
      {"negative id", [](Call c, Args) { c.table[1] = -1; }, ErrorCode::out_of_range,
       "block_table[0][1]", "a page id from 0 to 3", "-1"},
      {"id past the pool", [](Call c, Args) { c.table[4] = 4; }, ErrorCode::out_of_range,
       "block_table[1][0]", "a page id from 0 to 3", "4"},
      {"stored output too short",
       [](Call, Args a) { a.out.storage = a.out.storage.first(6 * 16384 - 1); },
       ErrorCode::out_of_range, "out bytes", "a part of the stored [0, ", "["},
      {"stored pool too short", [](Call, Args a) { a.pages.storage = a.pages.storage.first(9000); },
       ErrorCode::out_of_range, " bytes", "a part of the stored [0, 9000)", "["},
      {"stored table too short",
       [](Call, Args a) { a.block_table.storage = a.block_table.storage.first(6); },
       ErrorCode::out_of_range, "block_table bytes", "a part of the stored [0, 6)", "[4, 8)"},
      {"stored counts too short",
       [](Call, Args a) { a.num_pages.storage = a.num_pages.storage.first(4); },
       ErrorCode::out_of_range, "num_pages bytes", "a part of the stored [0, 4)", "[0, 8)"},
      {"offsets beyond 64 bits",
       [](Call c, Args a) {
         a.pages.strides[0] = std::int64_t{1} << 62;
         c.table[0] = 2;
       },
       ErrorCode::out_of_range, " bytes", "a part of the stored [", "an offset beyond 64 bits"},
  };
}

TEST(GatherContractTest, Nvfp4ViolationsAreNamed) {
  using Call = GatherCall&;
  using Args = GatherArguments&;
  std::vector<Violation> violations = shared_violations();
  const std::vector<Violation> own{
      {"pool dtype", [](Call, Args a) { a.pages.dtype = Dtype::e4m3; }, ErrorCode::wrong_dtype,
       "kv_cache dtype", "U8", "F8_E4M3"},
      {"pool rank",
       [](Call, Args a) {
         a.pages.shape = {4, 9216};
       },
       ErrorCode::wrong_shape, "kv_cache shape", "[*, 128, 72]", "[4, 9216]"},
      {"tokens",
       [](Call, Args a) {
         a.pages.shape = {4, 64, 72};
       },
       ErrorCode::wrong_shape, "kv_cache shape", "[*, 128, 72]", "[4, 64, 72]"},
      {"negative blocks",
       [](Call, Args a) {
         a.pages.shape = {-2, 128, 72};
       },
       ErrorCode::wrong_shape, "kv_cache shape", "[*, 128, 72]", "[-2, 128, 72]"},
      {"row stride", [](Call, Args a) { a.pages.strides[1] = 80; }, ErrorCode::wrong_stride,
       "kv_cache strides", "[*, 72, 1]", "[9344, 80, 1]"},
      {"byte stride", [](Call, Args a) { a.pages.strides[2] = 2; }, ErrorCode::wrong_stride,
       "kv_cache strides", "[*, 72, 1]", "[9344, 72, 2]"},
      {"page stride", [](Call, Args a) { a.pages.strides[0] = 9215; }, ErrorCode::wrong_stride,
       "kv_cache page stride in bytes", "at least 9216", "9215"},
      {"output dtype", [](Call, Args a) { a.out.dtype = Dtype::u8; }, ErrorCode::wrong_dtype,
       "out dtype", "F8_E4M3", "U8"},
      {"output shape",
       [](Call, Args a) {
         a.out.shape = {7, 16384};
       },
       ErrorCode::wrong_shape, "out shape", "[*, 128, 128]", "[7, 16384]"},
      {"output stride", [](Call, Args a) { a.out.strides[0] = 16400; }, ErrorCode::wrong_stride,
       "out strides", "[16384, 128, 1]", "[16400, 128, 1]"},
  };
  violations.insert(violations.end(), own.begin(), own.end());
  expect_violations(nvfp4_index_k, 1, nvfp4_gather_index_k, violations);
}

TEST(GatherContractTest, Mxfp4ViolationsAreNamed) {
  using Call = GatherCall&;
  using Args = GatherArguments&;
  std::vector<Violation> violations = shared_violations();
  const std::vector<Violation> own{
      {"pool dtype", [](Call, Args a) { a.pages.dtype = Dtype::u16; }, ErrorCode::wrong_dtype,
       "pages dtype", "U8", "U16"},
      {"page of the other format",
       [](Call, Args a) {
         a.pages.shape = {4, 9216};
       },
       ErrorCode::wrong_shape, "pages shape", "[*, 8704]", "[4, 9216]"},
      {"byte stride",
       [](Call, Args a) {
         a.pages.strides = {8704, 2};
       },
       ErrorCode::wrong_stride, "pages strides", "[*, 1]", "[8704, 2]"},
      {"page stride", [](Call, Args a) { a.pages.strides[0] = 8192; }, ErrorCode::wrong_stride,
       "pages page stride in bytes", "at least 8704", "8192"},
      {"output dtype", [](Call, Args a) { a.out.dtype = Dtype::i32; }, ErrorCode::wrong_dtype,
       "out dtype", "F8_E4M3 or F32 or BF16 or F16", "I32"},
      {"output with heads",
       [](Call, Args a) {
         a.out.shape = {7, 1, 128, 128};
       },
       ErrorCode::wrong_shape, "out shape", "[*, 128, 128]", "[7, 1, 128, 128]"},
  };
  violations.insert(violations.end(), own.begin(), own.end());
  expect_violations(mxfp4, 1, mxfp4_gather_pages, violations);
}

TEST(GatherContractTest, Mxfp4ViolationsOfHeadsAreNamed) {
  using Call = GatherCall&;
  using Args = GatherArguments&;
  expect_violations(
      mxfp4, 2, mxfp4_gather_pages,
      {{"head stride", [](Call, Args a) { a.pages.strides[1] = 0; }, ErrorCode::wrong_stride,
        "pages head stride in bytes", "at least 8704", "0"},
       {"output without heads",
        [](Call, Args a) {
          a.out.shape = {7, 128, 128};
        },
        ErrorCode::wrong_shape, "out shape", "[*, 2, 128, 128]", "[7, 128, 128]"},
       {"output of other heads",
        [](Call, Args a) {
          a.out.shape = {7, 3, 128, 128};
        },
        ErrorCode::wrong_shape, "out shape", "[*, 2, 128, 128]", "[7, 3, 128, 128]"}});
}

// The messages of docs/layouts.md, section "Gather".
TEST(GatherContractTest, DocumentedMessagesAreTrue) {
  const auto message = [](const std::function<void(GatherCall&, GatherArguments&)>& change) {
    GatherCall call(nvfp4_index_k, Dtype::e4m3);
    GatherArguments arguments = call.arguments();
    change(call, arguments);
    return plan_gather(readers::nvfp4_gather_index_k, arguments, profiles::ocp()).error().message;
  };
  EXPECT_EQ(message([](GatherCall&, GatherArguments& a) { a.pages.strides[1] = 80; }),
            "nvfp4_gather_index_k: kv_cache strides: expected [*, 72, 1], got [9344, 80, 1]");
  EXPECT_EQ(message([](GatherCall&, GatherArguments& a) { a.max_num_pages = 2; }),
            "nvfp4_gather_index_k: num_pages[0]: expected at most max_num_pages, 2, got 3");
  EXPECT_EQ(message([](GatherCall& c, GatherArguments&) { c.table[1] = -1; }),
            "nvfp4_gather_index_k: block_table[0][1]: expected a page id from 0 to 3, got -1");
  EXPECT_EQ(message([](GatherCall&, GatherArguments& a) { a.out.shape[0] = 5; }),
            "nvfp4_gather_index_k: out shape: expected at least 6 pages for request 1 at page "
            "offset 5, got 5");
}

}  // namespace
}  // namespace oracle
