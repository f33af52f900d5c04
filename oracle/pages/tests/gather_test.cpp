#include "oracle/pages/gather.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "oracle/pages/tests/gather_call.hpp"

namespace oracle {
namespace {

using testing::AllOf;
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

// A gather of two blocks of two heads, K and V, whose strides put heads inside of planes or planes
// inside of heads.
struct KvCall {
  explicit KvCall(bool planes_of_each_head) {
    pool.resize(static_cast<std::size_t>(2 * page_stride));
    for (std::size_t i = 0; i < pool.size(); ++i) {
      pool[i] = static_cast<std::uint8_t>(i * 167 + i / 251 + i / 9216 * 31);
    }
    plane_stride = planes_of_each_head ? page_bytes : 2 * page_bytes + 8;
    head_stride = planes_of_each_head ? 2 * page_bytes + 8 : page_bytes;
  }

  Result<void> run(const PageReader& reader, Dtype destination,
                   const Profile& profile = profiles::ocp()) {
    const auto bytes = [](const std::vector<std::int32_t>& values) {
      return std::span(reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * 4);
    };
    out.assign(2 * 2 * 2 * 128 * 128 * size_of(destination), 0xA7);
    GatherArguments a;
    a.pages = {pool, Dtype::u8, {2, 2, 2, 9216}, {page_stride, plane_stride, head_stride, 1}, 0};
    a.block_table = {bytes(table), Dtype::i32, {1, 2}, {2, 1}, 0};
    a.num_pages = {bytes(count), Dtype::i32, {1}, {1}, 0};
    a.page_offsets = {bytes(zero), Dtype::i32, {1}, {1}, 0};
    a.max_num_pages = 2;
    a.out = *contiguous_view(std::span(out), destination, {2, 2, 2, 128, 128});
    return gather(reader, a, profile);
  }

  // Of output page, plane, head, token and element, with its scale at `scale_byte` of the page.
  std::uint32_t expected(int page, int plane, int head, int token, int element, int scale_byte,
                         Dtype destination) const {
    const std::uint8_t* from = pool.data() + table[static_cast<std::size_t>(page)] * page_stride +
                               plane * plane_stride + head * head_stride;
    const std::uint8_t pair = from[64 * token + element / 2];
    return decode_element(e4m3::spec,
                          static_cast<std::uint8_t>(element % 2 == 0 ? pair & 0xF : pair >> 4),
                          from[scale_byte], destination, profiles::ocp());
  }

  static constexpr std::int64_t page_bytes = 9216;
  static constexpr std::int64_t page_stride = 4 * page_bytes + 16;
  std::int64_t plane_stride;
  std::int64_t head_stride;
  std::vector<std::uint8_t> pool;
  std::vector<std::int32_t> table{1, 0};
  std::vector<std::int32_t> count{2};
  std::vector<std::int32_t> zero{0};
  std::vector<std::uint8_t> out;
};

// `scale_byte(plane, token, group)` is the formula of docs/layouts.md.
void expect_kv(const PageReader& reader, int (*scale_byte)(int plane, int token, int group),
               const Profile& profile = profiles::ocp()) {
  for (const bool planes_of_each_head : {false, true}) {
    KvCall call(planes_of_each_head);
    for (const Dtype destination : all_destinations) {
      const Result<void> done = call.run(reader, destination, profile);
      ASSERT_TRUE(done.has_value()) << done.error().message;
      std::size_t at = 0;
      for (int side = 0; side < 2 * 2 * 2; ++side) {
        for (int i = 0; i < 128 * 128; ++i) {
          const int plane = side / 2 % 2;
          std::uint32_t bits = 0;
          std::memcpy(&bits, call.out.data() + at, size_of(destination));
          at += size_of(destination);
          ASSERT_EQ(bits, call.expected(side / 4, plane, side % 2, i / 128, i % 128,
                                        scale_byte(plane, i / 128, i % 128 / 16), destination))
              << reader.name << " side " << side << " element " << i;
        }
      }
    }
  }
}

TEST(GatherTest, ValuesHaveTheirScalesInQuadsOfFourTokensBesideLinearKeys) {
  expect_kv(readers::nvfp4_gather_kv, [](int plane, int token, int group) {
    return plane == 0 ? 8192 + 8 * token + group : 8192 + (token / 4) * 32 + group * 4 + token % 4;
  });
}

TEST(GatherTest, SwizzledScalesLieInTilesOf128TokensByFour) {
  expect_kv(readers::nvfp4_gather_kv_swizzled, [](int /*plane*/, int token, int group) {
    return 8192 + group / 4 * 512 + token % 32 * 16 + token / 32 * 4 + group % 4;
  });
}

TEST(GatherContractTest, APlaneIsNoNearerThanAPage) {
  KvCall call(false);
  call.plane_stride = 9215;
  EXPECT_EQ(call.run(readers::nvfp4_gather_kv, Dtype::e4m3).error().message,
            "nvfp4_gather_kv: pages plane stride in bytes: expected at least 9216, got 9215");
}

// What an engine keeps that reads V by token: one order, whatever the layout says.
TEST(GatherTest, AProfileWithOneOrderReadsValuesAsKeys) {
  Profile linear = profiles::ocp();
  linear.scale_order = ScaleOrderChoice::linear;
  expect_kv(
      readers::nvfp4_gather_kv,
      [](int /*plane*/, int token, int group) { return 8192 + 8 * token + group; }, linear);
}

}  // namespace
}  // namespace oracle
