// Addressing of MXFP4 pages that is wrong on purpose: mxfp4_faults.hpp.
#pragma once

#include <cstdint>

#include "kernels/faulty/mxfp4_faults.hpp"

namespace kernels::faulty {

// Inside a page.

struct Mxfp4NibbleOrderSwapped : PlainLayout {
  __device__ static unsigned nibble_shift(unsigned element) { return 4 - element % 2 * 4; }
};

struct Mxfp4GroupTermMissing : PlainLayout {
  __device__ static unsigned code_element(unsigned element) { return element % 32; }
};

struct Mxfp4ScaleOffByOneElement : PlainLayout {
  __device__ static unsigned scale_index(unsigned token, unsigned element) {
    const unsigned index = token * 4 + (element + 1) / 32;
    return index < 512 ? index : 511;
  }
};

struct Mxfp4ScaleGroupZeroForAll : PlainLayout {
  __device__ static unsigned scale_index(unsigned token, unsigned) { return token * 4; }
};

// 16 elements to a scale: with the rows of four scales, and with rows of eight. The last ones lie
// behind the page.
struct Mxfp4GroupsOf16 : PlainLayout {
  __device__ static unsigned scale_index(unsigned token, unsigned element) {
    return token * 4 + element / 16;
  }
};
struct Mxfp4GroupsOf16RowsToo : PlainLayout {
  __device__ static unsigned scale_index(unsigned token, unsigned element) {
    return token * 8 + element / 16;
  }
};

struct Mxfp4ScaleSwizzled128x4 : PlainLayout {
  __device__ static unsigned scale_index(unsigned token, unsigned element) {
    return token % 32 * 16 + token / 32 * 4 + element / 32;
  }
};

struct Mxfp4Scale4TokenInterleave : PlainLayout {
  __device__ static unsigned scale_index(unsigned token, unsigned element) {
    return token / 4 * 16 + element / 32 * 4 + token % 4;
  }
};

struct Mxfp4ScalesBeforeData : PlainLayout {
  template <class Self, class Args>
  __device__ static Source source(const Args& args, const Place& place) {
    const Source right = Mxfp4Layout::source<Mxfp4Layout>(args, place);
    return {right.codes + 512, right.codes};
  }
};

// The scales are looked for behind the codes of this many tokens.
template <int tokens>
struct Mxfp4PageOfTokens : PlainLayout {
  static constexpr int scales_offset = 64 * tokens;
};

struct Mxfp4ScalePlaneNotCopied : PlainLayout {
  template <class Self>
  __device__ static std::uint32_t scale(const Source&, unsigned, unsigned) {
    return 0;
  }
};

// From page to page.

// `Distance::page` and `Distance::head` in the place of the strides given.
template <class Distance, class Inside = PlainLayout>
struct Mxfp4WrongDistance : Inside {
  template <class Self, class Args>
  __device__ static Mxfp4Layout::Source source(const Args& args, const Mxfp4Layout::Place& place) {
    const std::uint8_t* const base =
        args.pages + place.page_id * Distance::page(args) + place.head * Distance::head(args);
    return {base, base + Self::scales_offset};
  }
};

struct DensePages {
  template <class Args>
  __device__ static std::int64_t page(const Args& args) {
    return std::int64_t{8704} * args.num_heads;
  }
  template <class Args>
  __device__ static std::int64_t head(const Args&) {
    return 8704;
  }
};
struct DenseHeads : DensePages {
  template <class Args>
  __device__ static std::int64_t page(const Args& args) {
    return args.page_stride_bytes;
  }
};
// Pages of 128 tokens of 72 bytes.
struct PagesOf9216 {
  template <class Args>
  __device__ static std::int64_t page(const Args& args) {
    return std::int64_t{9216} * args.num_heads;
  }
  template <class Args>
  __device__ static std::int64_t head(const Args&) {
    return 9216;
  }
};
struct FourfoldStride {
  template <class Args>
  __device__ static std::int64_t page(const Args& args) {
    return args.page_stride_bytes * 4;
  }
  template <class Args>
  __device__ static std::int64_t head(const Args& args) {
    return args.head_stride_bytes;
  }
};

// The offset of a page in 32 bits, signed and unsigned.
template <class Offset>
struct Mxfp4Int32Offset : PlainLayout {
  template <class Self, class Args>
  __device__ static Source source(const Args& args, const Place& place) {
    const auto offset = static_cast<Offset>(static_cast<std::uint32_t>(
        place.page_id * args.page_stride_bytes + place.head * args.head_stride_bytes));
    const std::uint8_t* const base = args.pages + offset;
    return {base, base + scales_offset};
  }
};

// The offset of an output page in 32 bits: of its bytes, and of its elements.
struct Mxfp4OutputBytesInt32 : PlainLayout {
  __device__ static std::int64_t output_bytes(std::int64_t output_page, unsigned element_bytes) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(output_page) * 16384u *
                                     element_bytes);
  }
};
struct Mxfp4OutputElementsInt32 : PlainLayout {
  __device__ static std::int64_t output_bytes(std::int64_t output_page, unsigned element_bytes) {
    const auto element =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(output_page) * 16384u);
    return std::int64_t{element} * element_bytes;
  }
};

// Reads through a descriptor give zero from byte 2^31 on.
struct Mxfp4DescriptorRange : PlainLayout {
  struct Source {
    Mxfp4Layout::Source of;
    bool in_range;
  };
  template <class Self, class Args>
  __device__ static Source source(const Args& args, const Place& place) {
    const std::int64_t offset =
        place.page_id * args.page_stride_bytes + place.head * args.head_stride_bytes;
    return {Mxfp4Layout::source<Mxfp4Layout>(args, place), offset < 0x80000000LL};
  }
  template <class Self>
  __device__ static std::uint32_t code(const Source& source, unsigned token, unsigned element) {
    return source.in_range ? PlainLayout::code<PlainLayout>(source.of, token, element) : 0;
  }
  template <class Self>
  __device__ static std::uint32_t scale(const Source& source, unsigned token, unsigned element) {
    return source.in_range ? PlainLayout::scale<PlainLayout>(source.of, token, element) : 0;
  }
};

// In the table.

struct Mxfp4TableRowStride : PlainLayout {
  __device__ static std::int64_t page_id(const fp4cts_mxfp4_gather_pages& args, unsigned request,
                                         unsigned page) {
    return args.block_table[std::int64_t{request} * args.max_num_pages + page];
  }
};

struct Mxfp4LogicalIndexForScales : PlainLayout {
  template <class Self>
  __device__ static Place place(const fp4cts_mxfp4_gather_pages& args, unsigned block) {
    Place found = Mxfp4Layout::place<Self>(args, block);
    // Kept beside the head, for source() to take apart.
    const unsigned logical =
        block / static_cast<unsigned>(args.num_heads) % static_cast<unsigned>(args.max_num_pages);
    found.head |= std::int64_t{logical} << 32;
    return found;
  }
  template <class Self>
  __device__ static Source source(const fp4cts_mxfp4_gather_pages& args, const Place& place) {
    Place right = place;
    right.head = place.head & 0xffffffff;
    Place wrong = right;
    wrong.page_id = place.head >> 32;
    return {Mxfp4Layout::source<Mxfp4Layout>(args, right).codes,
            Mxfp4Layout::source<Mxfp4Layout>(args, wrong).scales};
  }
};

// As PaddingEntriesDereferenced of index_k_faults.hpp.
struct Mxfp4PaddingEntriesDereferenced : PlainLayout {
  __device__ static bool holds(const fp4cts_mxfp4_gather_pages& args, unsigned request,
                               unsigned page) {
    const auto* const base = reinterpret_cast<const volatile std::uint32_t*>(
        args.pages + Mxfp4Layout::page_id(args, request, page) * args.page_stride_bytes);
    const std::int64_t unlikely = *base == 0x9e3779b9u ? 1 : 0;
    return static_cast<std::int64_t>(page) < args.num_pages[request] - unlikely;
  }
};

// At the ends.

// A 16-byte load of scales for every token: past the page's end for the last ones.
struct Mxfp4OverReadAtTheEnd : PlainLayout {
  template <class Self>
  __device__ static std::uint32_t scale(const Source& source, unsigned token, unsigned element) {
    const volatile std::uint8_t* const last = source.scales + token * 4 + 15;
    const std::uint8_t touched = *last;
    return PlainLayout::scale<PlainLayout>(source, token, element) + (touched & 0u);
  }
};

// The last page of a request is left as it was.
struct Mxfp4UnwrittenTail : PlainLayout {
  __device__ static bool holds(const fp4cts_mxfp4_gather_pages& args, unsigned request,
                               unsigned page) {
    return std::int64_t{page} + 1 < args.num_pages[request];
  }
};

}  // namespace kernels::faulty
