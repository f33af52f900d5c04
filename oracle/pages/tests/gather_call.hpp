// A small legal gather for tests: four padded pages of distinct bytes, two requests of three and
// one page, an output with gaps before, between and behind, pre-filled.
#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "oracle/pages/gather.hpp"

namespace oracle {

struct GatherCall {
  static constexpr std::uint8_t fill = 0xA7;

  // num_heads > 1 makes pages of that many heads (mxfp4 only), heads outermost in memory.
  GatherCall(const PageLayout& page_layout, Dtype to, std::int64_t heads = 1)
      : layout(page_layout),
        destination(to),
        num_heads(heads),
        page_stride(page_layout.page_bytes() + 128),
        head_stride(heads == 1 ? 0 : 4 * page_stride) {
    pool.resize(static_cast<std::size_t>(4 * heads * page_stride));
    std::mt19937 random(20261129);
    for (std::uint8_t& byte : pool) byte = static_cast<std::uint8_t>(random());
    out.assign(static_cast<std::size_t>(7 * heads * decoded_page_bytes(layout, destination)), fill);
  }

  // Views of the members: change those before the call.
  GatherArguments arguments() {
    const bool nvfp4 = layout.scale_format == e4m3::spec;
    GatherArguments a;
    a.pages = {pool, Dtype::u8, {}, {}, 0};
    if (nvfp4) {
      a.pages.shape = {4, 128, 72};
      a.pages.strides = {page_stride, 72, 1};
    } else if (num_heads == 1) {
      a.pages.shape = {4, 8704};
      a.pages.strides = {page_stride, 1};
    } else {
      a.pages.shape = {4, num_heads, 8704};
      a.pages.strides = {page_stride, head_stride, 1};
    }
    a.block_table = {
        bytes(table), Dtype::i32, {2, 4}, {static_cast<std::int64_t>(table_stride), 1}, 0};
    a.num_pages = {bytes(num_pages), Dtype::i32, {2}, {1}, 0};
    a.page_offsets = {bytes(page_offsets), Dtype::i32, {2}, {1}, 0};
    a.max_num_pages = 5;
    a.out =
        *contiguous_view(std::span(out), destination,
                         num_heads == 1 ? Extents{7, 128, 128} : Extents{7, num_heads, 128, 128});
    return a;
  }

  PageLayout layout;
  Dtype destination;
  std::int64_t num_heads;
  std::int64_t page_stride;
  std::int64_t head_stride;
  std::size_t table_stride = 4;
  std::vector<std::uint8_t> pool;
  std::vector<std::int32_t> table{3, 0, 2, -1, 1, -1, 2147483647, -1};
  std::vector<std::int32_t> num_pages{3, 1};
  std::vector<std::int32_t> page_offsets{1, 5};
  std::vector<std::uint8_t> out;

 private:
  static std::span<const std::uint8_t> bytes(const std::vector<std::int32_t>& values) {
    return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * 4};
  }
};

}  // namespace oracle
