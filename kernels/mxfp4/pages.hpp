// Decode and gather of MXFP4 pages (docs/design.md section 3.3): one thread block for one page of
// one head, as kernels/pages/page.hpp decodes it.
//
// Piece p has its codes at 8p, its scale at p / 2, so that two share one, and its elements from 16p
// on. A layout derived from Mxfp4Layout changes what it declares again.
#pragma once

#include <cstdint>

#include "kernels/pages/page.hpp"

namespace kernels {

inline constexpr unsigned mxfp4_threads = page_threads;
inline constexpr unsigned mxfp4_gather_blocks = page_blocks;
inline constexpr unsigned mxfp4_decode_blocks = portability::can_fetch_ahead ? 3 : 1;

struct Mxfp4Layout {
  using Right = Mxfp4Layout;
  using Source = PageSource;
  using Place = PagePlace;
  static constexpr unsigned page_bytes = 8704;
  static constexpr unsigned pieces = 1024;
  static constexpr int scales_offset = 8192;

  template <class Self>
  __device__ static Place place(const fp4cts_mxfp4_decode_pages& args, unsigned block) {
    const auto heads = portability::low_word(args.num_heads);
    return {true, block / heads, block % heads, block};
  }

  __device__ static bool holds(const fp4cts_mxfp4_gather_pages& args, unsigned request,
                               unsigned page) {
    return static_cast<std::int64_t>(page) < args.num_pages[request];
  }
  __device__ static std::int64_t page_id(const fp4cts_mxfp4_gather_pages& args, unsigned request,
                                         unsigned page) {
    return args.block_table[request * args.block_table_stride_elements + page];
  }
  template <class Self>
  __device__ static Place place(const fp4cts_mxfp4_gather_pages& args, unsigned block) {
    const auto heads = portability::low_word(args.num_heads);
    const auto pages = portability::low_word(args.max_num_pages);
    const unsigned head = block % heads;
    const unsigned page = block / heads % pages;
    const unsigned request = block / heads / pages;
    if (!Self::holds(args, request, page)) return {};
    return {true, Self::page_id(args, request, page), head,
            (std::int64_t{args.page_offsets[request]} + page) * heads + head};
  }
  template <class Self, class Args>
  __device__ static Source source(const Args& args, const Place& place) {
    const std::uint8_t* const base =
        args.pages + place.page_id * args.page_stride_bytes + place.head * args.head_stride_bytes;
    return {base, base + Self::scales_offset};
  }

  __device__ static std::int64_t codes_of(std::int64_t piece) { return 8 * piece; }
  __device__ static std::int64_t scale_of(std::int64_t piece) { return piece / 2; }
  __device__ static std::int64_t elements_of(std::int64_t piece) { return 16 * piece; }

  template <class Self>
  __device__ static ScaledCodes load(const Source& source, std::int64_t piece) {
    using portability::load_streaming;
    return {load_streaming<Codes16>(source.codes + Self::codes_of(piece)),
            load_streaming<std::uint8_t>(source.scales + Self::scale_of(piece))};
  }
};

template <class Path, class Layout = Mxfp4Layout, unsigned threads = mxfp4_threads, class Args>
__device__ __forceinline__ void mxfp4_page(const Args& args) {
  decode_page<Path, Layout, threads>(args);
}

}  // namespace kernels
