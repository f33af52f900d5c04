// Decode and gather of MXFP4 pages (docs/design.md section 3.3): one thread block for one page of
// one head.
//
// A page is taken in pieces of 16 elements, two under each scale: piece p has its codes at 8p, its
// scale at p / 2 and its elements from 16p on. What a block does is put together from a path
// (paths.hpp: a template `Piece<To>` for each destination) and a layout, which says where
// everything lies. A layout derived from Mxfp4Layout changes what it declares again. Nothing
// outside the page is read, and no table entry past num_pages.
#pragma once

#include <cstdint>

#include "include/fp4cts/abi.h"
#include "kernels/arithmetic/destination.hpp"
#include "kernels/arithmetic/group.hpp"
#include "kernels/portability/device.hpp"

namespace kernels {

inline constexpr unsigned mxfp4_threads = 256;
// Blocks to a multiprocessor on CUDA devices, and how many blocks ahead pages are fetched: as for
// the NVFP4 gather, docs/kernels.md.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1200
inline constexpr unsigned mxfp4_gather_blocks = 4;  // five would spill registers there
#else
inline constexpr unsigned mxfp4_gather_blocks =
    portability::can_fetch_ahead ? portability::blocks_that_fit(5, mxfp4_threads) : 1;
#endif
inline constexpr unsigned mxfp4_decode_blocks = portability::can_fetch_ahead ? 3 : 1;
inline constexpr unsigned mxfp4_fetch_distance = 528;

struct Mxfp4Layout {
  static constexpr unsigned page_bytes = 8704;
  static constexpr unsigned pieces = 1024;
  static constexpr int scales_offset = 8192;

  struct Source {
    const std::uint8_t* codes;
    const std::uint8_t* scales;
  };
  // Which page and head a block takes, and which output page it writes.
  struct Place {
    bool exists;
    std::int64_t page_id;
    std::int64_t head;
    std::int64_t output_page;
  };

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

// Sixteen bytes at a time.
template <class To>
__device__ __forceinline__ void store(std::uint8_t* destination, const Decoded<To>& elements) {
  portability::unrolled<sizeof(elements) / 16>([&](unsigned i) {
    const Bytes16 bytes{{elements.words[4 * i], elements.words[4 * i + 1],
                         elements.words[4 * i + 2], elements.words[4 * i + 3]}};
    portability::store_streaming(destination + 16 * i, bytes);
  });
}

// Starts to fetch the page of a later block into the second-level cache. A hint that changes no
// byte, hence the same for every layout.
template <class Args>
__device__ __forceinline__ void fetch_page_of(const Args& args, unsigned block) {
  if (!portability::in_grid(block)) return;
  const auto place = Mxfp4Layout::place<Mxfp4Layout>(args, block);
  if (!place.exists) return;
  portability::fetch_ahead(Mxfp4Layout::source<Mxfp4Layout>(args, place).codes,
                           Mxfp4Layout::page_bytes);
}

template <class To, class Path, class Layout, unsigned threads, class Args>
__device__ __forceinline__ void mxfp4_page_to(const Args& args) {
  const auto place = Layout::template place<Layout>(args, blockIdx.x);
  if (!place.exists) return;
  const auto source = Layout::template source<Layout>(args, place);
  constexpr std::int64_t page_elements = 16 * Layout::pieces;
  std::uint8_t* const destination =
      static_cast<std::uint8_t*>(args.out) + place.output_page * page_elements * To::bytes;

  // Every load is issued before the first use, and where registers hold them all, every result is
  // there before the first store.
  constexpr unsigned steps = Layout::pieces / threads;
  const auto piece = [](unsigned step) { return portability::warp_piece<steps>(step); };
  const auto output = [&](unsigned step) {
    return destination + Layout::elements_of(piece(step)) * To::bytes;
  };
  decltype(Layout::template load<Layout>(source, 0)) in[steps];
  portability::unrolled<steps>(
      [&](unsigned step) { in[step] = Layout::template load<Layout>(source, piece(step)); });
  if constexpr (portability::can_fetch_ahead) {
    if (threadIdx.x == 0) fetch_page_of(args, blockIdx.x + mxfp4_fetch_distance);
  }
  using Piece = typename Path::template Piece<To>;
  if constexpr (To::bytes == 1) {
    Decoded<To> out[steps];
    portability::unrolled<steps>([&](unsigned step) { out[step] = Piece::decode(in[step]); });
    portability::unrolled<steps>([&](unsigned step) { store(output(step), out[step]); });
  } else {
    portability::unrolled<steps>(
        [&](unsigned step) { store(output(step), Piece::decode(in[step])); });
  }
}

template <class Path, class Layout = Mxfp4Layout, unsigned threads = mxfp4_threads, class Args>
__device__ __forceinline__ void mxfp4_page(const Args& args) {
  if constexpr (threads == mxfp4_threads) portability::leave_room_for_four_blocks();
  switch (args.out_dtype) {
    case FP4CTS_E4M3:
      return mxfp4_page_to<ToE4m3, Path, Layout, threads>(args);
    case FP4CTS_F32:
      return mxfp4_page_to<ToF32, Path, Layout, threads>(args);
    case FP4CTS_BF16:
      return mxfp4_page_to<ToBf16, Path, Layout, threads>(args);
    case FP4CTS_F16:
      return mxfp4_page_to<ToF16, Path, Layout, threads>(args);
  }
}

}  // namespace kernels
