// Addressing that is wrong on purpose, one struct for one class of docs/faults.md: each changes
// what it declares again of IndexKLayout (nvfp4/gather_index_k.hpp). Never part of a right module.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/element.hpp"
#include "kernels/nvfp4/gather_index_k.hpp"

namespace kernels::faulty {

// Inside a page. Group number g is 8 * token + group of the row.

struct GroupTermMissingInDataIndex : IndexKLayout {
  __device__ static std::int64_t codes_of(std::int64_t group) { return 8 * (group & ~7); }
};

struct PreshuffledTileOrder : IndexKLayout {
  __device__ static std::int64_t codes_of(std::int64_t group) {
    const std::int64_t token = group / 8;
    const std::int64_t byte = group % 8 * 8;
    return (token / 16 * 4 + byte / 16) * 256 + token % 16 * 16 + byte % 16;
  }
};

struct ScaleGroupZeroForAll : IndexKLayout {
  __device__ static std::int64_t scale_of(std::int64_t group) { return group & ~7; }
};

// 32 elements to a scale: with the rows of eight scales, and with rows of four.
struct GroupSizeOfTheOtherFormat : IndexKLayout {
  __device__ static std::int64_t scale_of(std::int64_t group) {
    return (group & ~7) + group % 8 / 2;
  }
};
struct GroupSizeOfTheOtherFormatRowsToo : IndexKLayout {
  __device__ static std::int64_t scale_of(std::int64_t group) { return group / 2; }
};

struct ScaleSwizzled128x4 : IndexKLayout {
  __device__ static std::int64_t scale_of(std::int64_t group) {
    const std::int64_t token = group / 8;
    const std::int64_t column = group % 8;
    return column / 4 * 512 + token % 32 * 16 + token / 32 * 4 + column % 4;
  }
};

struct ValueScale4TokenInterleave : IndexKLayout {
  __device__ static std::int64_t scale_of(std::int64_t group) {
    const std::int64_t token = group / 8;
    return token / 4 * 32 + group % 8 * 4 + token % 4;
  }
};

struct ScalesBeforeData : IndexKLayout {
  template <class Self>
  __device__ static Source source(const fp4cts_nvfp4_gather_index_k& args, unsigned request,
                                  unsigned page) {
    const Source right = IndexKLayout::source<Self>(args, request, page);
    return {right.codes + 1024, right.codes};
  }
};

// The scales are looked for behind the codes of this many tokens.
template <int tokens>
struct PageOfTokens : IndexKLayout {
  static constexpr int scales_offset = 64 * tokens;
};

// The last element of a group under the next group's scale.
struct ScaleIndexOffByOneElement : IndexKLayout {
  struct TwoScales {
    ScaledCodes own;
    std::uint8_t next;
  };
  template <class Self>
  __device__ static TwoScales load(const Source& source, std::int64_t group) {
    return {IndexKLayout::load<Self>(source, group),
            source.scales[group < 1023 ? group + 1 : group]};
  }
};
struct LastElementByNextScale {
  __device__ static Bytes16 group(const ScaleIndexOffByOneElement::TwoScales& in) {
    Bytes16 bytes = ElementWise<>::group(in.own);
    const std::uint32_t last =
        ElementSteps::element<ElementSteps>(in.own.codes.words[1] >> 28, in.next);
    bytes.words[3] = (bytes.words[3] & 0x00ffffff) | last << 24;
    return bytes;
  }
};

// From page to page.

struct StridedViewReadAsDense : IndexKLayout {
  template <class Self>
  __device__ static Source source(const fp4cts_nvfp4_gather_index_k& args, unsigned request,
                                  unsigned page) {
    const std::uint8_t* const base = args.kv_cache + page_id(args, request, page) * 9216;
    return {base, base + scales_offset};
  }
};

struct PageStrideScaledWrong : IndexKLayout {
  template <class Self>
  __device__ static Source source(const fp4cts_nvfp4_gather_index_k& args, unsigned request,
                                  unsigned page) {
    fp4cts_nvfp4_gather_index_k wrong = args;
    wrong.page_stride_bytes *= 4;
    return IndexKLayout::source<Self>(wrong, request, page);
  }
};

// The offset of a page in 32 bits, signed and unsigned.
template <class Offset>
struct Int32ByteOffsetOverflow : IndexKLayout {
  template <class Self>
  __device__ static Source source(const fp4cts_nvfp4_gather_index_k& args, unsigned request,
                                  unsigned page) {
    const auto offset =
        static_cast<Offset>(static_cast<std::uint32_t>(page_id(args, request, page)) *
                            static_cast<std::uint32_t>(args.page_stride_bytes));
    const std::uint8_t* const base = args.kv_cache + offset;
    return {base, base + scales_offset};
  }
};

struct OutputInt32ByteOffsetOverflow : IndexKLayout {
  __device__ static std::uint8_t* destination(const fp4cts_nvfp4_gather_index_k& args,
                                              unsigned request, unsigned page) {
    const auto output = static_cast<std::uint32_t>(args.page_offsets[request]) + page;
    return args.out + static_cast<std::int32_t>(output * 16384u);
  }
};

// Reads through a descriptor give zero from byte 2^31 on.
struct DescriptorRangeReturnsZero : IndexKLayout {
  struct Source {
    IndexKLayout::Source of;
    bool in_range;
  };
  template <class Self>
  __device__ static Source source(const fp4cts_nvfp4_gather_index_k& args, unsigned request,
                                  unsigned page) {
    const std::int64_t offset = page_id(args, request, page) * args.page_stride_bytes;
    return {IndexKLayout::source<IndexKLayout>(args, request, page), offset < 0x80000000LL};
  }
  template <class Self>
  __device__ static ScaledCodes load(const Source& source, std::int64_t group) {
    if (!source.in_range) return {};
    return IndexKLayout::load<IndexKLayout>(source.of, group);
  }
};

// In the table.

struct TableRowStride : IndexKLayout {
  __device__ static std::int64_t page_id(const fp4cts_nvfp4_gather_index_k& args, unsigned request,
                                         unsigned page) {
    return args.block_table[std::int64_t{request} * args.max_num_pages + page];
  }
};

struct LogicalIndexUsedForScales : IndexKLayout {
  template <class Self>
  __device__ static Source source(const fp4cts_nvfp4_gather_index_k& args, unsigned request,
                                  unsigned page) {
    const Source right = IndexKLayout::source<Self>(args, request, page);
    return {right.codes, args.kv_cache + page * args.page_stride_bytes + scales_offset};
  }
};

// Follows an entry before it looks whether the request has it. The word takes part in the answer,
// as a compiler would else move its load behind the check.
struct PaddingEntriesDereferenced : IndexKLayout {
  __device__ static bool holds(const fp4cts_nvfp4_gather_index_k& args, unsigned request,
                               unsigned page) {
    const auto* const base = reinterpret_cast<const volatile std::uint32_t*>(
        args.kv_cache + IndexKLayout::page_id(args, request, page) * args.page_stride_bytes);
    const std::int64_t unlikely = *base == 0x9e3779b9u ? 1 : 0;
    return static_cast<std::int64_t>(page) < args.num_pages[request] - unlikely;
  }
};

struct OnePageTooMany : IndexKLayout {
  __device__ static bool holds(const fp4cts_nvfp4_gather_index_k& args, unsigned request,
                               unsigned page) {
    return static_cast<std::int64_t>(page) <= args.num_pages[request];
  }
  // A poisoned entry is clamped to page 0, so that the fault shows in what is written.
  __device__ static std::int64_t page_id(const fp4cts_nvfp4_gather_index_k& args, unsigned request,
                                         unsigned page) {
    return IndexKLayout::holds(args, request, page) ? IndexKLayout::page_id(args, request, page)
                                                    : args.block_table[0];
  }
};

// Keeps the first table it sees: what a replayed graph does with a captured argument. All threads
// of a block write the same entry, hence volatile: it is the table that is wrong, and no race.
static __device__ std::int32_t captured_table[4096];
struct CapturedTableGoesStale : IndexKLayout {
  __device__ static std::int64_t page_id(const fp4cts_nvfp4_gather_index_k& args, unsigned request,
                                         unsigned page) {
    volatile std::int32_t& kept = captured_table[(request * 64 + page) % 4096];
    if (kept == 0) kept = args.block_table[request * args.block_table_stride_elements + page] + 1;
    return kept - 1;
  }
};

// At the ends.

// A 16-byte load of scales for every group: past the page's end for the last ones.
struct OverReadAtTheEnd : IndexKLayout {
  template <class Self>
  __device__ static ScaledCodes load(const Source& source, std::int64_t group) {
    const volatile std::uint8_t* const last = source.scales + (group & ~7) + 15;
    ScaledCodes in = IndexKLayout::load<Self>(source, group);
    const std::uint8_t touched = *last;
    in.scale = static_cast<std::uint8_t>(in.scale + (touched & 0));
    return in;
  }
};

// The last page of a request is left as it was.
struct UnwrittenTail : IndexKLayout {
  __device__ static bool holds(const fp4cts_nvfp4_gather_index_k& args, unsigned request,
                               unsigned page) {
    return std::int64_t{page} + 1 < args.num_pages[request];
  }
};

}  // namespace kernels::faulty
