// A pool of pages: the axes between one page and the next, and which plane has which layout; and
// what reads such pools.
//
//     [num_blocks, (planes,) (heads,) bytes of a page]
//
// A plane holds one kind of page beside another in the same block: K and V. Their pages have one
// shape and one pair of formats, and may differ in where codes and scales lie. Strides of pages,
// planes and heads are the tensor's, so that a pool [num_blocks, heads, 2, bytes] is the same pool
// with its axes in another order. The bytes of a page are one axis, or [num_tokens,
// bytes_per_token]: rows that are no tokens, for a page holds all codes before all scales.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "oracle/pages/page_layout.hpp"
#include "oracle/pages/product.hpp"

namespace oracle {

// Whether a pool has an axis of heads. Without it there is one head.
enum class HeadAxis : std::uint8_t { none, optional, required };

struct PoolLayout {
  std::string_view name;                      // of the tensor
  std::array<const PageLayout*, 2> planes{};  // the second is null where there is one kind of page
  HeadAxis heads = HeadAxis::none;
  bool rows_are_tokens = false;  // the last axes are [num_tokens, bytes_per_token]

  constexpr int num_planes() const { return planes[1] == nullptr ? 1 : 2; }
  // Of a plane; all have the shape and the formats of the first.
  constexpr const PageLayout& layout(std::int64_t plane = 0) const {
    return *planes[static_cast<std::size_t>(plane)];
  }
  constexpr int num_inner_axes() const { return rows_are_tokens ? 2 : 1; }

  constexpr bool is_consistent() const {
    if (planes[0] == nullptr || !planes[0]->is_consistent()) return false;
    if (planes[1] == nullptr) return true;
    PageLayout same = *planes[1];
    same.name = planes[0]->name;
    same.nibble_order = planes[0]->nibble_order;
    same.section_order = planes[0]->section_order;
    same.code_order = planes[0]->code_order;
    same.scale_order = planes[0]->scale_order;
    return planes[1]->is_consistent() && same == *planes[0];
  }
};

// Pages of a pool that is to be written do not share a byte: an axis of extents and strides, in any
// order, each steps over all that lies inside of it.
template <std::size_t rank>
constexpr bool pages_are_disjoint(std::array<std::int64_t, rank> extents,
                                  std::array<std::int64_t, rank> strides_bytes,
                                  std::int64_t page_bytes) {
  std::array<std::size_t, rank> order{};
  for (std::size_t axis = 0; axis < rank; ++axis) order[axis] = axis;
  std::sort(order.begin(), order.end(),
            [&](std::size_t x, std::size_t y) { return strides_bytes[x] < strides_bytes[y]; });
  std::int64_t reach = page_bytes;
  for (const std::size_t axis : order) {
    if (extents[axis] <= 1) continue;
    if (strides_bytes[axis] < reach) return false;
    std::int64_t more = 0;
    if (__builtin_mul_overflow(extents[axis] - 1, strides_bytes[axis], &more) ||
        __builtin_add_overflow(reach, more, &reach)) {
      return false;
    }
  }
  return true;
}

// docs/design.md 3.5: pages of V beside pages of K, their scales in quads of four tokens, and pages
// whose scales lie as tensor cores take them.
inline constexpr PageLayout nvfp4_v = [] {
  PageLayout layout = nvfp4_index_k;
  layout.name = "nvfp4_v";
  layout.scale_order = ScaleOrder::quads;
  return layout;
}();
inline constexpr PageLayout nvfp4_swizzled = [] {
  PageLayout layout = nvfp4_index_k;
  layout.name = "nvfp4_swizzled";
  layout.scale_order = ScaleOrder::swizzle_128x4;
  return layout;
}();
// Token 5 is the second of its quad.
static_assert(nvfp4_v.scale_offset(5, 3) == 8192 + (5 / 4) * 32 + 3 * 4 + 5 % 4);
static_assert(nvfp4_swizzled.scale_offset(33, 6) == 8192 + 512 + 16 + 4 + 2);

namespace pools {

// docs/design.md 3.2.
inline constexpr PoolLayout nvfp4_index_k{
    .name = "kv_cache", .planes = {&oracle::nvfp4_index_k}, .rows_are_tokens = true};

// docs/design.md 3.3.
inline constexpr PoolLayout mxfp4{
    .name = "pages", .planes = {&oracle::mxfp4}, .heads = HeadAxis::optional};

// docs/design.md 3.5: [num_blocks, 2, heads, 9216], or with its inner axes transposed: K, then V.
inline constexpr PoolLayout nvfp4_kv{
    .name = "pages", .planes = {&oracle::nvfp4_index_k, &nvfp4_v}, .heads = HeadAxis::required};
inline constexpr PoolLayout nvfp4_kv_swizzled{
    .name = "pages", .planes = {&nvfp4_swizzled, &nvfp4_swizzled}, .heads = HeadAxis::required};

static_assert(nvfp4_index_k.is_consistent() && mxfp4.is_consistent());
static_assert(nvfp4_kv.is_consistent() && nvfp4_kv_swizzled.is_consistent());

}  // namespace pools

// What a reader of pages is called, where they come from and what they may become. Readers of pages
// differ in this alone.
struct PageReader {
  std::string_view name;
  const PoolLayout* pool = nullptr;
  std::span<const Dtype> destinations;  // the default first
  bool has_table = true;  // pages are named by a block table; else all of them, in order
};

namespace readers {

inline constexpr std::array e4m3_alone{Dtype::e4m3};

inline constexpr PageReader nvfp4_gather_index_k{
    .name = "nvfp4_gather_index_k", .pool = &pools::nvfp4_index_k, .destinations = e4m3_alone};
inline constexpr PageReader mxfp4_decode_pages{.name = "mxfp4_decode_pages",
                                               .pool = &pools::mxfp4,
                                               .destinations = all_destinations,
                                               .has_table = false};
inline constexpr PageReader mxfp4_gather_pages{
    .name = "mxfp4_gather_pages", .pool = &pools::mxfp4, .destinations = all_destinations};

inline constexpr PageReader nvfp4_gather_kv{
    .name = "nvfp4_gather_kv", .pool = &pools::nvfp4_kv, .destinations = all_destinations};
inline constexpr PageReader nvfp4_gather_kv_swizzled{.name = "nvfp4_gather_kv_swizzled",
                                                     .pool = &pools::nvfp4_kv_swizzled,
                                                     .destinations = all_destinations};

inline constexpr std::array all{&nvfp4_gather_index_k, &mxfp4_decode_pages, &mxfp4_gather_pages,
                                &nvfp4_gather_kv, &nvfp4_gather_kv_swizzled};

}  // namespace readers

// Null where no reader has that name.
constexpr const PageReader* reader_named(std::string_view name) {
  for (const PageReader* reader : readers::all) {
    if (reader->name == name) return reader;
  }
  return nullptr;
}

}  // namespace oracle
