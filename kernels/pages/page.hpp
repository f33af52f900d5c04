// Decoding pages of 1024 pieces: one thread block for one page of one head, whatever the operation.
//
// A piece is 16 elements under one scale: piece p has its codes at 8p and its elements from 16p on.
// What a block does is put together from a path (paths.hpp of a format: a template `Piece<To>` for
// each destination) and a layout, which says which page a block takes and where everything lies.
// Nothing outside the page is read, and no table entry past num_pages.
#pragma once

#include <cstdint>

#include "include/fp4cts/abi.h"
#include "kernels/arithmetic/destination.hpp"
#include "kernels/arithmetic/group.hpp"
#include "kernels/portability/device.hpp"

namespace kernels {

inline constexpr unsigned page_threads = 256;
// Blocks to a multiprocessor on CUDA devices, and how many blocks ahead pages are fetched: as for
// the NVFP4 gather, docs/kernels.md.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1200
inline constexpr unsigned page_blocks = 4;  // five would spill registers there
#else
inline constexpr unsigned page_blocks =
    portability::can_fetch_ahead ? portability::blocks_that_fit(5, page_threads) : 1;
#endif
inline constexpr unsigned page_fetch_distance = 528;

// Where the codes and the scales of a page begin.
struct PageSource {
  const std::uint8_t* codes;
  const std::uint8_t* scales;
};
// Which page and head a block takes, and which output page it writes.
struct PagePlace {
  bool exists;
  std::int64_t page_id;
  std::int64_t head;
  std::int64_t output_page;
};

// Pieces by the definition: the exact f32 product of each element, one encoding.
template <class Steps>
struct ElementWisePieces {
  template <class To>
  struct Piece {
    __device__ static Decoded<To> decode(const ScaledCodes& in) {
      const float factor = Steps::scale(in.scale);
      Decoded<To> out{};
      portability::unrolled<16>([&](unsigned i) {
        const float code = Steps::code(in.codes.words[i / 8] >> 4 * (i % 8) & 0xf);
        constexpr unsigned per_word = Decoded<To>::per_word;
        out.words[i / per_word] |= To::encode(code * factor) << 8 * To::bytes * (i % per_word);
      });
      return out;
    }
  };
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
// byte, hence that of the layout which is right.
template <class Layout, class Args>
__device__ __forceinline__ void fetch_page_of(const Args& args, unsigned block) {
  if (!portability::in_grid(block)) return;
  const auto place = Layout::template place<Layout>(args, block);
  if (!place.exists) return;
  portability::fetch_ahead(Layout::template source<Layout>(args, place).codes, Layout::page_bytes);
}

template <class To, class Path, class Layout, unsigned threads, class Args>
__device__ __forceinline__ void page_to(const Args& args) {
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
    if (threadIdx.x == 0) {
      fetch_page_of<typename Layout::Right>(args, blockIdx.x + page_fetch_distance);
    }
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

template <class Path, class Layout, unsigned threads = page_threads, class Args>
__device__ __forceinline__ void decode_page(const Args& args) {
  if constexpr (threads == page_threads) portability::leave_room_for_four_blocks();
  switch (args.out_dtype) {
    case FP4CTS_E4M3:
      return page_to<ToE4m3, Path, Layout, threads>(args);
    case FP4CTS_F32:
      return page_to<ToF32, Path, Layout, threads>(args);
    case FP4CTS_BF16:
      return page_to<ToBf16, Path, Layout, threads>(args);
    case FP4CTS_F16:
      return page_to<ToF16, Path, Layout, threads>(args);
  }
}

}  // namespace kernels
