// Gather of NVFP4 index-K pages (docs/design.md section 3.2): one thread block for one (request,
// page).
//
// The body is put together from two policies: an arithmetic (arithmetic/group.hpp) and a layout,
// which says where everything lies. A layout derived from IndexKLayout changes what it declares
// again. Nothing outside the page is read, and no table entry past num_pages.
#pragma once

#include <cstdint>

#include "include/fp4cts/abi.h"
#include "kernels/arithmetic/group.hpp"
#include "kernels/portability/device.hpp"

namespace kernels {

// Threads per block, blocks for which a multiprocessor has registers, and how many blocks ahead a
// page is fetched into the second-level cache: what was fastest on the H200 (docs/kernels.md).
// Where conversions are software, they need the registers of four.
inline constexpr unsigned gather_index_k_threads = 256;
inline constexpr unsigned gather_index_k_blocks =
    portability::can_fetch_ahead ? portability::blocks_that_fit(5, gather_index_k_threads) : 1;
inline constexpr unsigned gather_index_k_fetch_distance = 528;

// Page: [128 tokens x 64 B codes][128 tokens x 8 B e4m3 scales], output page: [128, 128] B. Group g
// of 16 elements, 8 to a token, is in its place in each of the three: 8g, g and 16g.
struct IndexKLayout {
  static constexpr unsigned page_bytes = 9216;
  static constexpr unsigned groups = 1024;
  static constexpr std::int64_t output_page_bytes = 16384;
  static constexpr int scales_offset = 8192;

  struct Source {
    const std::uint8_t* codes;
    const std::uint8_t* scales;
  };

  // Whether the request has a logical page of this number.
  __device__ static bool holds(const fp4cts_nvfp4_gather_index_k& args, unsigned request,
                               unsigned page) {
    return static_cast<std::int64_t>(page) < args.num_pages[request];
  }

  __device__ static std::int64_t page_id(const fp4cts_nvfp4_gather_index_k& args, unsigned request,
                                         unsigned page) {
    return args.block_table[request * args.block_table_stride_elements + page];
  }

  template <class Self>
  __device__ static Source source(const fp4cts_nvfp4_gather_index_k& args, unsigned request,
                                  unsigned page) {
    const std::uint8_t* const base =
        args.kv_cache + Self::page_id(args, request, page) * args.page_stride_bytes;
    return {base, base + Self::scales_offset};
  }

  __device__ static std::uint8_t* destination(const fp4cts_nvfp4_gather_index_k& args,
                                              unsigned request, unsigned page) {
    return args.out + (std::int64_t{args.page_offsets[request]} + page) * output_page_bytes;
  }

  // Bytes from the start of the codes, of the scales and of the output page.
  __device__ static std::int64_t codes_of(std::int64_t group) { return 8 * group; }
  __device__ static std::int64_t scale_of(std::int64_t group) { return group; }
  __device__ static std::int64_t output_of(std::int64_t group) { return 16 * group; }

  template <class Self>
  __device__ static ScaledCodes load(const Source& source, std::int64_t group) {
    using portability::load_streaming;
    return {load_streaming<Codes16>(source.codes + Self::codes_of(group)),
            load_streaming<std::uint8_t>(source.scales + Self::scale_of(group))};
  }
};

// Starts to fetch the page of a later block into the second-level cache: whole pages are read there
// in one go, and fewer blocks keep the memory busy. A hint that changes no byte, hence the same for
// every layout: a faulty one does not lead it astray.
__device__ __forceinline__ void fetch_page_of(const fp4cts_nvfp4_gather_index_k& args,
                                              unsigned block) {
  const auto pages = static_cast<unsigned>(args.max_num_pages);
  const unsigned request = block / pages;
  const unsigned page = block % pages;
  if (request >= static_cast<unsigned>(args.num_reqs)) return;
  if (!IndexKLayout::holds(args, request, page)) return;
  portability::fetch_ahead(IndexKLayout::source<IndexKLayout>(args, request, page).codes,
                           IndexKLayout::page_bytes);
}

template <class Arithmetic, class Layout = IndexKLayout, unsigned threads = gather_index_k_threads>
__device__ __forceinline__ void gather_index_k(const fp4cts_nvfp4_gather_index_k& args) {
  if constexpr (threads == gather_index_k_threads) portability::leave_room_for_four_blocks();
  const auto pages = static_cast<unsigned>(args.max_num_pages);
  const unsigned request = blockIdx.x / pages;
  const unsigned page = blockIdx.x % pages;
  if (!Layout::holds(args, request, page)) return;
  const auto source = Layout::template source<Layout>(args, request, page);
  std::uint8_t* const destination = Layout::destination(args, request, page);

  // Every load is issued before the first use, and every result is there before the first store.
  constexpr unsigned steps = Layout::groups / threads;
  const auto group = [](unsigned step) { return portability::warp_piece<steps>(step); };
  decltype(Layout::template load<Layout>(source, 0)) in[steps];
  portability::unrolled<steps>(
      [&](unsigned step) { in[step] = Layout::template load<Layout>(source, group(step)); });
  if constexpr (portability::can_fetch_ahead) {
    if (threadIdx.x == 0) fetch_page_of(args, blockIdx.x + gather_index_k_fetch_distance);
  }
  Bytes16 bytes[steps];
  portability::unrolled<steps>([&](unsigned step) { bytes[step] = Arithmetic::group(in[step]); });
  portability::unrolled<steps>([&](unsigned step) {
    portability::store_streaming(destination + Layout::output_of(group(step)), bytes[step]);
  });
}

}  // namespace kernels
