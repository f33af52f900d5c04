// Gather of NVFP4 K and V pages (docs/layouts.md): one thread block for one page of one plane and
// head, plane 0 being K and plane 1 V, as kernels/pages/page.hpp decodes it.
//
// Piece p is group p % 8 of token p / 8: its codes lie at 8p, its elements from 16p on, and its
// E4M3 scale where the order of the plane has it.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/fp32.hpp"
#include "kernels/pages/page.hpp"

namespace kernels {

// K by token and group; V in quads of four tokens.
struct ValuesInQuads {
  __device__ static std::int64_t scale_of(std::int64_t plane, std::int64_t piece) {
    return plane == 0 ? piece : piece / 32 * 32 + piece % 8 * 4 + piece / 8 % 4;
  }
};

// Both in tiles of 128 tokens by 4 groups.
struct Swizzled128x4 {
  __device__ static std::int64_t scale_of(std::int64_t /*plane*/, std::int64_t piece) {
    const std::int64_t token = piece / 8;
    const std::int64_t group = piece % 8;
    return group / 4 * 512 + token % 32 * 16 + token / 32 * 4 + group % 4;
  }
};

template <class Order>
struct KvLayout {
  using Right = KvLayout;
  static constexpr unsigned page_bytes = 9216;
  static constexpr unsigned pieces = 1024;
  static constexpr int scales_offset = 8192;

  struct Source {
    const std::uint8_t* codes;
    const std::uint8_t* scales;
    std::int64_t plane;
  };

  template <class Self>
  __device__ static PagePlace place(const fp4cts_nvfp4_gather_kv& args, unsigned block) {
    const unsigned sides = 2 * portability::low_word(args.num_heads);
    const auto pages = portability::low_word(args.max_num_pages);
    const unsigned side = block % sides;
    const unsigned page = block / sides % pages;
    const unsigned request = block / sides / pages;
    if (static_cast<std::int64_t>(page) >= args.num_pages[request]) return {};
    return {true, args.block_table[request * args.block_table_stride_elements + page], side,
            (std::int64_t{args.page_offsets[request]} + page) * sides + side};
  }

  // A side is a head of a plane, plane-major.
  template <class Self>
  __device__ static Source source(const fp4cts_nvfp4_gather_kv& args, const PagePlace& place) {
    const std::int64_t plane = place.head < args.num_heads ? 0 : 1;
    const std::int64_t head = place.head - plane * args.num_heads;
    const std::uint8_t* const base = args.pages + place.page_id * args.page_stride_bytes +
                                     plane * args.plane_stride_bytes +
                                     head * args.head_stride_bytes;
    return {base, base + scales_offset, plane};
  }

  __device__ static std::int64_t elements_of(std::int64_t piece) { return 16 * piece; }

  template <class Self>
  __device__ static ScaledCodes load(const Source& source, std::int64_t piece) {
    using portability::load_streaming;
    return {load_streaming<Codes16>(source.codes + 8 * piece),
            load_streaming<std::uint8_t>(source.scales + Order::scale_of(source.plane, piece))};
  }
};

// The exact f32 product, one conversion: to e4m3 the chip's own, where it has one.
struct Nvfp4Fp32 {
  template <class To>
  struct Piece : ElementWisePieces<ElementSteps>::Piece<To> {};
};

template <>
struct Nvfp4Fp32::Piece<ToE4m3> {
  __device__ static Decoded<ToE4m3> decode(const ScaledCodes& in) {
    const Bytes16 bytes = Fp32::group(in);
    return {{bytes.words[0], bytes.words[1], bytes.words[2], bytes.words[3]}};
  }
};

// Blocks that a multiprocessor must hold: with two ptxas spills registers on sm_100a.
inline constexpr int kv_blocks = 1;

template <class Order>
__device__ __forceinline__ void gather_kv(const fp4cts_nvfp4_gather_kv& args) {
  decode_page<Nvfp4Fp32, KvLayout<Order>>(args);
}

}  // namespace kernels
