// Gathers of K and V, whose scales lie in an order of their own.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "oracle/pages/gather.hpp"

namespace oracle {
namespace {

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

TEST(GatherKvTest, ValuesHaveTheirScalesInQuadsOfFourTokensBesideLinearKeys) {
  expect_kv(readers::nvfp4_gather_kv, [](int plane, int token, int group) {
    return plane == 0 ? 8192 + 8 * token + group : 8192 + (token / 4) * 32 + group * 4 + token % 4;
  });
}

TEST(GatherKvTest, SwizzledScalesLieInTilesOf128TokensByFour) {
  expect_kv(readers::nvfp4_gather_kv_swizzled, [](int /*plane*/, int token, int group) {
    return 8192 + group / 4 * 512 + token % 32 * 16 + token / 32 * 4 + group % 4;
  });
}

TEST(GatherKvTest, APlaneIsNoNearerThanAPage) {
  KvCall call(false);
  call.plane_stride = 9215;
  EXPECT_EQ(call.run(readers::nvfp4_gather_kv, Dtype::e4m3).error().message,
            "nvfp4_gather_kv: pages plane stride in bytes: expected at least 9216, got 9215");
}

// What an engine keeps that reads V by token: one order, whatever the layout says.
TEST(GatherKvTest, AProfileWithOneOrderReadsValuesAsKeys) {
  Profile linear = profiles::ocp();
  linear.scale_order = ScaleOrderChoice::linear;
  expect_kv(
      readers::nvfp4_gather_kv,
      [](int /*plane*/, int token, int group) { return 8192 + 8 * token + group; }, linear);
}

}  // namespace
}  // namespace oracle
