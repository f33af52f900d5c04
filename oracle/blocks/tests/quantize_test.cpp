#include "oracle/blocks/quantize.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "oracle/numbers/ieee.hpp"
#include "oracle/pages/decode_pages.hpp"

namespace oracle {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

constexpr std::uint8_t fill = 0xA7;

// A legal write: five rows of random values into two padded pages, one row into no slot.
struct WriteCall {
  explicit WriteCall(const PageLayout& page_layout, Dtype from, std::int64_t heads = 0)
      : layout(page_layout), source(from), num_heads(heads), count(heads == 0 ? 1 : heads) {
    std::mt19937 random(3);
    rows.resize(static_cast<std::size_t>(5 * count * 130));
    for (std::uint32_t& element : rows) {
      element = static_cast<std::uint32_t>(random());
      if (from == Dtype::f32) element = (element & 0x807fffffU) | ((110 + element % 30) << 23);
    }
    pages.assign(static_cast<std::size_t>(2 * count * page_stride()), fill);
    const std::size_t width = size_of(source);
    row_bytes.resize(rows.size() * width);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::memcpy(row_bytes.data() + i * width, &rows[i], width);
    }
  }

  std::int64_t page_stride() const { return layout.page_bytes() + 16; }

  WriteArguments arguments() {
    WriteArguments a;
    const bool nvfp4 = layout.scale_format == e4m3::spec;
    a.rows = {row_bytes, source, {5, 128}, {130, 1}, 0};
    a.pages = {pages, Dtype::u8, {2, layout.page_bytes()}, {page_stride(), 1}, 0};
    if (nvfp4) {
      a.pages.shape = {2, 128, 72};
      a.pages.strides = {page_stride(), 72, 1};
    } else if (num_heads != 0) {
      a.rows.shape = {5, num_heads, 128};
      a.rows.strides = {num_heads * 130, 130, 1};
      a.pages.shape = {2, num_heads, layout.page_bytes()};
      a.pages.strides = {num_heads * page_stride(), page_stride(), 1};
    }
    a.slot_mapping = {{reinterpret_cast<const std::uint8_t*>(slots.data()), slots.size() * 8},
                      Dtype::i64,
                      {5},
                      {1},
                      0};
    return a;
  }

  // Elements of one row as f32 bits.
  std::vector<std::uint32_t> row(std::int64_t index, std::int64_t head) const {
    std::vector<std::uint32_t> elements;
    const auto begin = static_cast<std::size_t>((index * count + head) * 130);
    for (std::size_t e = 0; e < 128; ++e) {
      const std::uint32_t mask = source == Dtype::f32 ? 0xffffffffU : 0xffffU;
      elements.push_back(ieee::widen(rows[begin + e] & mask, source));
    }
    return elements;
  }

  PageLayout layout;
  Dtype source;
  std::int64_t num_heads;
  std::int64_t count;
  std::vector<std::uint32_t> rows;
  std::vector<std::uint8_t> row_bytes;
  std::vector<std::uint8_t> pages;
  std::vector<std::int64_t> slots{0, 255, -1, 130, 127};
};

// The written pages, built from quantize_row and the byte formulas of docs/design.md 3.2 and 3.3.
std::vector<std::uint8_t> expected_pages(const WriteCall& call, const Profile& profile) {
  std::vector<std::uint8_t> pages(call.pages.size(), fill);
  for (std::size_t i = 0; i < call.slots.size(); ++i) {
    if (call.slots[i] == -1) continue;
    const std::int64_t page = call.slots[i] / 128;
    const std::int64_t token = call.slots[i] % 128;
    for (std::int64_t head = 0; head < call.count; ++head) {
      const QuantizedRow row =
          quantize_row(call.layout, call.row(static_cast<std::int64_t>(i), head), profile);
      std::uint8_t* bytes = pages.data() + (page * call.count + head) * call.page_stride();
      for (std::size_t b = 0; b < 64; ++b) {
        bytes[64 * token + static_cast<std::int64_t>(b)] =
            static_cast<std::uint8_t>(row.codes[2 * b] | (row.codes[2 * b + 1] << 4));
      }
      const auto groups = static_cast<std::int64_t>(row.scales.size());
      for (std::int64_t g = 0; g < groups; ++g) {
        bytes[8192 + groups * token + g] = row.scales[static_cast<std::size_t>(g)];
      }
    }
  }
  return pages;
}

TEST(WriteTest, Nvfp4WritesItsTokensAndNothingElse) {
  for (const Dtype source : {Dtype::f32, Dtype::f16, Dtype::bf16}) {
    for (const Nvfp4Rule& rule : {vllm_m3, nvfp4_generic}) {
      Profile profile = profiles::ocp();
      profile.nvfp4_writer = rule;
      WriteCall call(nvfp4_index_k, source);
      ASSERT_TRUE(nvfp4_write_index_k(call.arguments(), profile).has_value());
      EXPECT_EQ(call.pages, expected_pages(call, profile)) << name_of(source);
    }
  }
}

TEST(WriteTest, Mxfp4WritesItsTokensAndNothingElse) {
  for (const std::int64_t heads : {0, 1, 3}) {
    for (const ScaleMode mode :
         {ScaleMode::round_up, ScaleMode::floor, ScaleMode::even, ScaleMode::ceil}) {
      Profile profile = profiles::ocp();
      profile.mxfp4_writer.mode = mode;
      WriteCall call(mxfp4, Dtype::bf16, heads);
      ASSERT_TRUE(mxfp4_write_pages(call.arguments(), profile).has_value());
      EXPECT_EQ(call.pages, expected_pages(call, profile)) << heads;
    }
  }
}

// What was written reads back as the nearest representable values: all within half a step of the
// largest gap, 1 x scale, unless they saturate; and values that are representable exactly.
TEST(WriteTest, RepresentableRowsReadBackExactly) {
  const Profile& profile = profiles::ocp();
  for (const PageLayout& layout : all_page_layouts) {
    std::vector<std::uint32_t> row;
    for (int e = 0; e < 128; ++e) {
      const auto code = static_cast<std::uint32_t>(e % 16);
      row.push_back(ieee::rounded(scale_by_power_of_two(decode<e2m1>(code), e / 32), Round::rne));
    }
    std::vector<std::uint8_t> page(static_cast<std::size_t>(layout.page_bytes()));
    write_token(layout, page, 5, quantize_row(layout, row, profile));
    std::vector<std::uint8_t> out(static_cast<std::size_t>(decoded_page_bytes(layout, Dtype::f32)));
    decode_page(layout, page, Dtype::f32, out, profile);
    for (std::size_t e = 0; e < 128; ++e) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, out.data() + 4 * (640 + e), 4);
      // vllm_m3 stores zeros as +0; MXFP4's default keeps -0.
      const bool cleared = layout.scale_format == e4m3::spec && row[e] == 0x80000000U;
      EXPECT_EQ(bits, cleared ? 0U : row[e]) << layout.name << " element " << e;
    }
  }
}

// docs/reported-faults.md X06: blocks of amax 6 and 0.75 have scales 38 and 20 of their own.
TEST(WriteTest, NeighbourBlocksHaveTheirOwnScale) {
  std::vector<std::uint32_t> row(128, 0);
  row[0] = std::bit_cast<std::uint32_t>(6.F);
  row[16] = std::bit_cast<std::uint32_t>(-0.75F);
  const QuantizedRow quantized = quantize_row(nvfp4_index_k, row, profiles::ocp());
  EXPECT_THAT(quantized.scales, testing::ElementsAre(0x38, 0x20, 1, 1, 1, 1, 1, 1));
}

// docs/reported-faults.md M04: capacity 128, slots {0, -1, 128, 2^40+17}: only slot 0 may be
// written; slots that are neither -1 nor in the pool are errors here, and nothing is written at
// all.
TEST(WriteTest, SlotsOutsideThePoolAreErrors) {
  for (const std::int64_t slot :
       {std::int64_t{256}, (std::int64_t{1} << 40) + 17, std::int64_t{-2}}) {
    WriteCall call(nvfp4_index_k, Dtype::bf16);
    call.slots[3] = slot;
    const auto result = nvfp4_write_index_k(call.arguments(), profiles::ocp());
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::out_of_range);
    EXPECT_EQ(result.error().message,
              "nvfp4_write_index_k: slot_mapping[3]: expected -1 or a slot from 0 to 255, got " +
                  std::to_string(slot));
    EXPECT_THAT(call.pages, Each(fill));
  }
}

TEST(WriteTest, NoRowsAndSkippedRowsWriteNothing) {
  WriteCall call(mxfp4, Dtype::f16);
  call.slots.assign(5, -1);
  EXPECT_TRUE(mxfp4_write_pages(call.arguments(), profiles::ocp()).has_value());
  WriteArguments none = call.arguments();
  none.rows.shape[0] = 0;
  none.slot_mapping.shape[0] = 0;
  none.slot_mapping.storage = {};
  EXPECT_TRUE(mxfp4_write_pages(none, profiles::ocp()).has_value());
  EXPECT_THAT(call.pages, Each(fill));
}

TEST(WriteTest, SlotsPastTwoGibWriteThroughAWindow) {
  WriteCall near(mxfp4, Dtype::bf16);
  ASSERT_TRUE(mxfp4_write_pages(near.arguments(), profiles::ocp()).has_value());
  WriteCall far(mxfp4, Dtype::bf16);
  constexpr std::int64_t id = 493448;
  for (std::int64_t& slot : far.slots) slot += slot == -1 ? 0 : id * 128;
  WriteArguments arguments = far.arguments();
  arguments.pages.shape[0] = std::int64_t{1} << 20;
  arguments.pages.origin_bytes = -id * far.page_stride();
  ASSERT_TRUE(mxfp4_write_pages(arguments, profiles::ocp()).has_value());
  EXPECT_EQ(far.pages, near.pages);
}

TEST(WriteTest, ScaleOrderAndPageStrideOfTheProfileAreFollowed) {
  Profile profile = profiles::ocp();
  profile.scale_order = ScaleOrderChoice::quads;
  WriteCall call(nvfp4_index_k, Dtype::bf16);
  ASSERT_TRUE(nvfp4_write_index_k(call.arguments(), profile).has_value());
  // Slot 130 is page 1, token 2: group g lies at 4*g + 2.
  const QuantizedRow row = quantize_row(nvfp4_index_k, call.row(3, 0), profile);
  for (std::size_t g = 0; g < 8; ++g) {
    EXPECT_EQ(call.pages[static_cast<std::size_t>(call.page_stride()) + 8192 + 4 * g + 2],
              row.scales[g]);
  }
  profile.page_stride = PageStride::dense;
  const auto plan = plan_write(writers::nvfp4_write_index_k, call.arguments(), profile);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->moves[1].page_bytes, 9216);
}

struct Violation {
  std::string name;
  std::function<void(WriteCall&, WriteArguments&)> change;
  ErrorCode code;
  std::string argument, expected, actual;
};

void expect_violations(const PageLayout& layout, std::int64_t heads,
                       Result<void> (*write)(const WriteArguments&, const Profile&),
                       const std::vector<Violation>& violations) {
  WriteCall right(layout, Dtype::bf16, heads);
  ASSERT_TRUE(write(right.arguments(), profiles::ocp()).has_value());
  for (const Violation& v : violations) {
    WriteCall call(layout, Dtype::bf16, heads);
    WriteArguments arguments = call.arguments();
    v.change(call, arguments);
    const auto result = write(arguments, profiles::ocp());
    ASSERT_FALSE(result.has_value()) << v.name;
    EXPECT_EQ(result.error().code, v.code) << v.name << ": " << result.error().message;
    EXPECT_THAT(result.error().message,
                AllOf(HasSubstr(v.argument), HasSubstr("expected " + v.expected),
                      HasSubstr("got " + v.actual)))
        << v.name;
    EXPECT_THAT(call.pages, Each(fill)) << v.name << ": a failed call wrote";
  }
}

std::vector<Violation> shared_violations() {
  using Call = WriteCall&;
  using Args = WriteArguments&;
  return {
      {"rows dtype", [](Call, Args a) { a.rows.dtype = Dtype::e4m3; }, ErrorCode::wrong_dtype,
       "rows dtype", "F32 or F16 or BF16", "F8_E4M3"},
      {"rows width",
       [](Call, Args a) {
         a.rows.shape = {5, 64};
       },
       ErrorCode::wrong_shape, "rows shape", "[*, 128]", "[5, 64]"},
      {"rows rank", [](Call, Args a) { a.rows.shape = {}; }, ErrorCode::wrong_shape, "rows shape",
       "[*, 128]", "[]"},
      {"rows inner stride",
       [](Call, Args a) {
         a.rows.strides = {256, 2};
       },
       ErrorCode::wrong_stride, "rows strides", "[*, 1]", "[256, 2]"},
      {"slots dtype", [](Call, Args a) { a.slot_mapping.dtype = Dtype::i32; },
       ErrorCode::wrong_dtype, "slot_mapping dtype", "I64", "I32"},
      {"fewer slots than rows", [](Call, Args a) { a.slot_mapping.shape = {4}; },
       ErrorCode::wrong_shape, "slot_mapping shape", "[5]", "[4]"},
      {"slots stride", [](Call, Args a) { a.slot_mapping.strides = {0}; }, ErrorCode::wrong_stride,
       "slot_mapping strides", "[1]", "[0]"},
      {"one slot twice", [](Call c, Args) { c.slots[4] = 255; }, ErrorCode::invalid_argument,
       "slot_mapping[4]", "a slot of its own", "255, which row 1 writes"},
      {"stored rows too short", [](Call, Args a) { a.rows.storage = a.rows.storage.first(300); },
       ErrorCode::out_of_range, "rows bytes", "a part of the stored [0, 300)", "[260, 516)"},
      {"stored slots too short",
       [](Call, Args a) { a.slot_mapping.storage = a.slot_mapping.storage.first(39); },
       ErrorCode::out_of_range, "slot_mapping bytes", "a part of the stored [0, 39)", "[0, 40)"},
      {"stored pages too short",
       [](Call, Args a) { a.pages.storage = a.pages.storage.first(9000); }, ErrorCode::out_of_range,
       " bytes", "a part of the stored [0, 9000)", "["},
      {"pages dtype", [](Call, Args a) { a.pages.dtype = Dtype::i64; }, ErrorCode::wrong_dtype,
       " dtype", "U8", "I64"},
  };
}

TEST(WriteContractTest, Nvfp4ViolationsAreNamed) {
  using Call = WriteCall&;
  using Args = WriteArguments&;
  auto violations = shared_violations();
  const std::vector<Violation> own{
      {"pages shape",
       [](Call, Args a) {
         a.pages.shape = {2, 128, 68};
       },
       ErrorCode::wrong_shape, "kv_cache shape", "[*, 128, 72]", "[2, 128, 68]"},
      {"inner strides", [](Call, Args a) { a.pages.strides[1] = 73; }, ErrorCode::wrong_stride,
       "kv_cache strides", "[*, 72, 1]", "[9232, 73, 1]"},
      {"page stride", [](Call, Args a) { a.pages.strides[0] = 8704; }, ErrorCode::wrong_stride,
       "kv_cache page stride in bytes", "at least 9216", "8704"},
  };
  violations.insert(violations.end(), own.begin(), own.end());
  expect_violations(nvfp4_index_k, 0, nvfp4_write_index_k, violations);
}

TEST(WriteContractTest, Mxfp4ViolationsAreNamed) {
  using Call = WriteCall&;
  using Args = WriteArguments&;
  auto violations = shared_violations();
  const std::vector<Violation> own{
      {"pages shape",
       [](Call, Args a) {
         a.pages.shape = {2, 9216};
       },
       ErrorCode::wrong_shape, "pages shape", "[*, 8704]", "[2, 9216]"},
      {"byte stride", [](Call, Args a) { a.pages.strides[1] = 2; }, ErrorCode::wrong_stride,
       "pages strides", "[*, 1]", "[8720, 2]"},
      {"page stride", [](Call, Args a) { a.pages.strides[0] = 8703; }, ErrorCode::wrong_stride,
       "pages page stride in bytes", "at least 8704", "8703"},
  };
  violations.insert(violations.end(), own.begin(), own.end());
  expect_violations(mxfp4, 0, mxfp4_write_pages, violations);
}

TEST(WriteContractTest, Mxfp4ViolationsOfHeadsAreNamed) {
  using Call = WriteCall&;
  using Args = WriteArguments&;
  expect_violations(mxfp4, 3, mxfp4_write_pages,
                    {{"heads differ", [](Call, Args a) { a.pages.shape[1] = 2; },
                      ErrorCode::wrong_shape, "pages shape", "[*, 3, 8704]", "[2, 2, 8704]"},
                     {"head stride", [](Call, Args a) { a.pages.strides[1] = 64; },
                      ErrorCode::wrong_stride, "pages head stride in bytes", "at least 8704", "64"},
                     {"pages overlap",
                      [](Call, Args a) {
                        a.pages.strides = {8720, 8720, 1};
                      },
                      ErrorCode::invalid_argument, "pages strides", "pages that do not overlap",
                      "strides of [8720, 8720] bytes for [2, 3] pages"}});
}

}  // namespace
}  // namespace oracle
