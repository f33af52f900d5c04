// Rows quantized into pages: one thread for one scale block. A row is 128 elements, a page has 8192
// bytes of codes before its scales, 128 tokens. Layout<elements of a block> says where they lie.
#pragma once

#include <cstdint>

#include "kernels/rows/rules.hpp"

namespace kernels {

inline constexpr unsigned write_threads = 256;
inline constexpr unsigned row_elements = 128;
inline constexpr unsigned tokens_of_a_page = 128;

// Where codes and scales of a token lie in its page, in order.
template <unsigned block_elements>
struct LinearPage {
  static constexpr unsigned blocks = row_elements / block_elements;
  __device__ static std::int64_t codes(unsigned token, unsigned block) {
    return token * (row_elements / 2) + block * (block_elements / 2);
  }
  __device__ static std::int64_t scale(unsigned token, unsigned block) {
    return tokens_of_a_page * (row_elements / 2) + token * blocks + block;
  }
  // The slot that a row writes; negative: none.
  __device__ static std::int64_t slot(std::int64_t stated) { return stated; }
  __device__ static std::uint32_t pair(std::uint32_t even, std::uint32_t odd) {
    return even | odd << 4;
  }
  __device__ static std::int64_t page(std::int64_t id, std::int64_t stride) { return id * stride; }
};

// One row of one head: where it is read, and where its page begins.
struct RowPlace {
  const std::uint8_t* row;
  std::uint8_t* page;
  unsigned token;
};

template <class Rule, class Page, unsigned block_elements, std::int32_t dtype>
__device__ __forceinline__ void write_block(const RowPlace& place, unsigned block) {
  constexpr unsigned width = dtype == FP4CTS_F32 ? 4 : 2;
  constexpr unsigned per_load = 16 / width;
  struct alignas(16) Words {
    std::uint32_t words[4];
  };
  const auto load = [&](unsigned of_block, float(&elements)[block_elements]) {
    const std::uint8_t* from = place.row + of_block * (block_elements * width);
    portability::unrolled<block_elements / per_load>([&](unsigned step) {
      const Words in = portability::load_cached<Words>(from + 16 * step);
      portability::unrolled<per_load>([&](unsigned i) {
        const std::uint32_t bits =
            width == 4 ? in.words[i % 4] : in.words[i / 2 % 4] >> 16 * (i % 2) & 0xffff;
        elements[step * per_load + i] = widened<dtype>(bits);
      });
    });
  };
  const auto amax_of = [&](const float(&elements)[block_elements]) {
    std::uint32_t amax = 0;
    portability::unrolled<block_elements>(
        [&](unsigned i) { amax = Rule::larger(amax, elements[i]); });
    return amax;
  };
  float elements[block_elements];
  std::uint32_t neighbour = 0;
  if constexpr (Rule::looks_at_neighbour) {
    load(block ^ 1, elements);
    neighbour = amax_of(elements);
  }
  load(block, elements);
  const std::uint32_t amax = Rule::amax_of(amax_of(elements), neighbour);
  const std::uint32_t scale = Rule::scale(amax);
  const float multiplier = Rule::multiplier(scale, amax);
  struct alignas(8) Codes {
    std::uint32_t words[2];
  };
  portability::unrolled<block_elements / 16>([&](unsigned part) {
    Codes codes{};
    portability::unrolled<8>([&](unsigned i) {
      const unsigned at = part * 16 + 2 * i;
      const std::uint32_t pair =
          Page::pair(Rule::template code<Rule>(elements[at], multiplier),
                     Rule::template code<Rule>(elements[at + 1], multiplier));
      codes.words[i / 4] |= pair << 8 * (i % 4);
    });
    portability::store_streaming(place.page + Page::codes(place.token, block) + 8 * part, codes);
  });
  place.page[Page::scale(place.token, block)] = static_cast<std::uint8_t>(Rule::stored(scale));
}

template <class Rule, class Page, unsigned block_elements>
__device__ __forceinline__ void write_block(const RowPlace& place, unsigned block,
                                            std::int32_t dtype) {
  if (dtype == FP4CTS_F32) write_block<Rule, Page, block_elements, FP4CTS_F32>(place, block);
  if (dtype == FP4CTS_F16) write_block<Rule, Page, block_elements, FP4CTS_F16>(place, block);
  if (dtype == FP4CTS_BF16) write_block<Rule, Page, block_elements, FP4CTS_BF16>(place, block);
}

template <class Rule, class Page = LinearPage<16>>
__device__ __forceinline__ void nvfp4_write(const fp4cts_nvfp4_write_index_k& args) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * write_threads + threadIdx.x;
  const std::int64_t row = thread / 8;
  if (row >= args.num_tokens) return;
  const std::int64_t slot = Page::slot(args.slot_mapping[row]);
  if (slot < 0) return;
  const RowPlace place{static_cast<const std::uint8_t*>(args.rows) + row * args.row_stride_bytes,
                       args.kv_cache + Page::page(slot / tokens_of_a_page, args.page_stride_bytes),
                       static_cast<unsigned>(slot % tokens_of_a_page)};
  write_block<Rule, Page, 16>(place, static_cast<unsigned>(thread % 8), args.rows_dtype);
}

template <class Rule, class Page = LinearPage<32>>
__device__ __forceinline__ void mxfp4_write(const fp4cts_mxfp4_write_pages& args) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * write_threads + threadIdx.x;
  const std::int64_t head_row = thread / 4;
  const std::int64_t row = head_row / args.num_heads;
  const std::int64_t head = head_row % args.num_heads;
  if (row >= args.num_tokens) return;
  const std::int64_t slot = Page::slot(args.slot_mapping[row]);
  if (slot < 0) return;
  const RowPlace place{static_cast<const std::uint8_t*>(args.rows) + row * args.row_stride_bytes +
                           head * args.row_head_stride_bytes,
                       args.pages + Page::page(slot / tokens_of_a_page, args.page_stride_bytes) +
                           head * args.head_stride_bytes,
                       static_cast<unsigned>(slot % tokens_of_a_page)};
  write_block<Rule, Page, 32>(place, static_cast<unsigned>(thread % 4), args.rows_dtype);
}

}  // namespace kernels
