// Where everything lies in a page of 4-bit codes and block scales: docs/design.md
// sections 3.2, 3.3, 3.5.
//
// A page holds `num_tokens` rows of `head_dim` elements of one head, e2m1 in every layout, and has
// no tensor scale. Its code section has two elements a byte, its scale section one byte per scale
// block (`group`) of `scale_block_size` elements. The layout is data; offsets, sizes, bounds and
// the inverse map derive from it. A page is a bijection: each byte is one pair of elements of one
// token, or the scale of one group.
//
//     NVFP4 index-K, 9216 bytes                       MXFP4, 8704 bytes
//     0     token 0: 64 bytes of codes                0     token 0: 64 bytes of codes
//     64    token 1 ...                               64    token 1 ...
//     8192  token 0: 8 E4M3 scales                    8192  token 0: 4 E8M0 scales
//     8200  token 1 ... 9215                          8196  token 1 ... 8703
//
// Orders beside the contract's own are the ones other engines really use; whoever judges a kernel
// needs them to say which wrong layout a wrong page matches. Layouts that mix codes with other data
// in a row (FlashMLA, SGLang, llama.cpp blocks) are not covered.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <string_view>

#include "oracle/numbers/formats.hpp"

namespace oracle {

// Which nibble of a byte holds the even element.
enum class NibbleOrder : std::uint8_t { even_low, even_high };

// Which section of the page comes first.
enum class SectionOrder : std::uint8_t { codes_first, scales_first };

// Order of the bytes of the code section, for the code byte b of token t.
enum class CodeOrder : std::uint8_t {
  rows,         // row_bytes * t + b
  tiles_16x16,  // tiles of 16 tokens x 16 bytes, rows inside a tile (matrix-core preshuffle)
};

// Order of the bytes of the scale section, for the scale s of token t out of S per token.
enum class ScaleOrder : std::uint8_t {
  linear,         // t*S + s
  quads,          // (t/4)*4*S + s*4 + t%4: V scales of vLLM, MSA, TensorRT-LLM, flashinfer
  swizzle_128x4,  // (s/4)*512 + (t%32)*16 + ((t%128)/32)*4 + s%4 in tiles of 128 tokens x 4 scales
};

enum class PageSection : std::uint8_t { codes, scales };

// What one byte of a page is. A code byte holds elements `first_element` (even) and the next one; a
// scale byte holds the scale of elements group*scale_block_size and following.
struct PagePlace {
  PageSection section = PageSection::codes;
  int token = 0;
  int first_element = 0;
  int group = 0;

  bool operator==(const PagePlace&) const = default;
};

struct PageLayout {
  std::string_view name;
  FormatSpec element_format = e2m1::spec;  // of 4 bits, two in a byte
  FormatSpec scale_format = e4m3::spec;    // of at most 8 bits, one in a byte
  int num_tokens = 0;                      // tokens in a page
  int head_dim = 0;                        // elements of a token
  int scale_block_size = 0;                // elements under one scale
  NibbleOrder nibble_order = NibbleOrder::even_low;
  SectionOrder section_order = SectionOrder::codes_first;
  CodeOrder code_order = CodeOrder::rows;
  ScaleOrder scale_order = ScaleOrder::linear;

  bool operator==(const PageLayout&) const = default;

  constexpr int groups_per_token() const { return head_dim / scale_block_size; }
  constexpr int code_bytes_per_token() const { return head_dim / 2; }
  constexpr int scale_bytes_per_token() const { return groups_per_token(); }
  constexpr int bytes_per_token() const { return code_bytes_per_token() + scale_bytes_per_token(); }
  constexpr int code_section_bytes() const { return num_tokens * code_bytes_per_token(); }
  constexpr int scale_section_bytes() const { return num_tokens * scale_bytes_per_token(); }
  constexpr int page_bytes() const { return code_section_bytes() + scale_section_bytes(); }
  constexpr int page_elements() const { return num_tokens * head_dim; }
  constexpr int group_of(int element) const { return element / scale_block_size; }

  constexpr int code_section_offset() const {
    return section_order == SectionOrder::codes_first ? 0 : scale_section_bytes();
  }
  constexpr int scale_section_offset() const {
    return section_order == SectionOrder::codes_first ? code_section_bytes() : 0;
  }

  // Whether the orders fit the shape: whole bytes, whole groups, whole tiles.
  constexpr bool is_consistent() const {
    if (num_tokens <= 0 || head_dim <= 0 || scale_block_size <= 0) return false;
    if (element_format != e2m1::spec || code_bits(scale_format) > 8) return false;
    if (head_dim % 2 != 0 || head_dim % scale_block_size != 0) return false;
    if (code_order == CodeOrder::tiles_16x16 &&
        (num_tokens % 16 != 0 || code_bytes_per_token() % 16 != 0)) {
      return false;
    }
    switch (scale_order) {
      case ScaleOrder::linear:
        return true;
      case ScaleOrder::quads:
        return num_tokens % 4 == 0;
      case ScaleOrder::swizzle_128x4:
        return num_tokens % 128 == 0 && groups_per_token() % 4 == 0;
    }
    return false;
  }

  // Byte of the page that holds the code of one element.
  constexpr int code_offset(int token, int element) const {
    assert(has_token(token) && element >= 0 && element < head_dim);
    return code_section_offset() + code_index(token, element / 2);
  }

  // First bit of that code in its byte: 0 or 4.
  constexpr int nibble_shift(int element) const {
    return (element % 2 == 0) == (nibble_order == NibbleOrder::even_low) ? 0 : 4;
  }

  // Byte of the page that holds the scale of one group.
  constexpr int scale_offset(int token, int group) const {
    assert(has_token(token) && group >= 0 && group < groups_per_token());
    return scale_section_offset() + scale_index(token, group);
  }

  // The inverse of code_offset and scale_offset. Precondition: 0 <= offset < page_bytes.
  constexpr PagePlace place(int offset) const {
    assert(offset >= 0 && offset < page_bytes());
    const int scale_begin = scale_section_offset();
    if (offset >= scale_begin && offset < scale_begin + scale_section_bytes()) {
      const auto [token, group] = scale_place(offset - scale_begin);
      return {PageSection::scales, token, group * scale_block_size, group};
    }
    const auto [token, byte] = code_place(offset - code_section_offset());
    return {PageSection::codes, token, 2 * byte, group_of(2 * byte)};
  }

  // The code of one element, and the scale byte of one group, out of the bytes of a page.
  constexpr std::uint8_t code(const std::uint8_t* page, int token, int element) const {
    const unsigned byte = page[code_offset(token, element)];
    return static_cast<std::uint8_t>((byte >> nibble_shift(element)) & 0xFU);
  }
  constexpr std::uint8_t scale(const std::uint8_t* page, int token, int group) const {
    return page[scale_offset(token, group)];
  }

  // Replaces the code of one element, keeping its neighbour in the byte.
  constexpr void set_code(std::uint8_t* page, int token, int element, std::uint8_t code) const {
    assert(code <= 0xFU);
    std::uint8_t& byte = page[code_offset(token, element)];
    const int shift = nibble_shift(element);
    byte = static_cast<std::uint8_t>((byte & (0xF0U >> shift)) | (unsigned{code} << shift));
  }
  constexpr void set_scale(std::uint8_t* page, int token, int group, std::uint8_t scale) const {
    page[scale_offset(token, group)] = scale;
  }

 private:
  struct TokenAndColumn {
    int token;
    int column;
  };

  constexpr bool has_token(int token) const { return token >= 0 && token < num_tokens; }

  constexpr int code_index(int token, int byte) const {
    const int row = code_bytes_per_token();
    if (code_order == CodeOrder::rows) return token * row + byte;
    const int tile = (token / 16) * (row / 16) + byte / 16;
    return tile * 256 + (token % 16) * 16 + byte % 16;
  }

  constexpr TokenAndColumn code_place(int index) const {
    const int row = code_bytes_per_token();
    if (code_order == CodeOrder::rows) return {index / row, index % row};
    const int tile = index / 256;
    const int tiles_per_row = row / 16;
    return {(tile / tiles_per_row) * 16 + index % 256 / 16,
            (tile % tiles_per_row) * 16 + index % 16};
  }

  constexpr int scale_index(int token, int group) const {
    const int groups = groups_per_token();
    switch (scale_order) {
      case ScaleOrder::linear:
        break;
      case ScaleOrder::quads:
        return (token / 4) * 4 * groups + group * 4 + token % 4;
      case ScaleOrder::swizzle_128x4:
        return ((token / 128) * (groups / 4) + group / 4) * 512 + (token % 32) * 16 +
               (token % 128 / 32) * 4 + group % 4;
    }
    return token * groups + group;
  }

  constexpr TokenAndColumn scale_place(int index) const {
    const int groups = groups_per_token();
    switch (scale_order) {
      case ScaleOrder::linear:
        break;
      case ScaleOrder::quads: {
        const int in_quad = index % (4 * groups);
        return {index / (4 * groups) * 4 + in_quad % 4, in_quad / 4};
      }
      case ScaleOrder::swizzle_128x4: {
        const int tile = index / 512;
        const int tiles_per_row = groups / 4;
        return {(tile / tiles_per_row) * 128 + (index % 16 / 4) * 32 + index % 512 / 16,
                (tile % tiles_per_row) * 4 + index % 4};
      }
    }
    return {index / groups, index % groups};
  }
};

// docs/design.md 3.2: [128, 72] bytes, E4M3 scales of 16 elements, no global scale.
inline constexpr PageLayout nvfp4_index_k{
    .name = "nvfp4_index_k",
    .scale_format = e4m3::spec,
    .num_tokens = 128,
    .head_dim = 128,
    .scale_block_size = 16,
};

// docs/design.md 3.3: one head, E8M0 scales of 32 elements, no global scale.
inline constexpr PageLayout mxfp4{
    .name = "mxfp4",
    .scale_format = e8m0::spec,
    .num_tokens = 128,
    .head_dim = 128,
    .scale_block_size = 32,
};

static_assert(nvfp4_index_k.is_consistent() && mxfp4.is_consistent());
static_assert(nvfp4_index_k.page_bytes() == 9216 && nvfp4_index_k.bytes_per_token() == 72);
static_assert(nvfp4_index_k.scale_section_offset() == 8192);
static_assert(nvfp4_index_k.scale_offset(127, 7) == 8192 + 8 * 127 + 7);
static_assert(nvfp4_index_k.code_offset(127, 127) == 8191);
static_assert(mxfp4.page_bytes() == 8704 && mxfp4.bytes_per_token() == 68);
static_assert(mxfp4.scale_section_offset() == 8192);
static_assert(mxfp4.scale_offset(127, 3) == 8192 + 4 * 127 + 3);
static_assert(mxfp4.nibble_shift(0) == 0 && mxfp4.nibble_shift(1) == 4);

// The formats that layouts have scales in.
inline constexpr std::array scale_formats{e4m3::spec, e8m0::spec};

inline constexpr std::array<PageLayout, 2> all_page_layouts{nvfp4_index_k, mxfp4};

// First byte of a page whose neighbours lie page_stride_bytes apart. 64-bit throughout: byte 2^31
// falls in NVFP4 page 233,016 and in MXFP4 page 246,723.
constexpr std::int64_t page_offset(std::int64_t page_id, std::int64_t page_stride_bytes) {
  return page_id * page_stride_bytes;
}
static_assert(page_offset(233016, nvfp4_index_k.page_bytes()) < (std::int64_t{1} << 31));
static_assert(page_offset(233017, nvfp4_index_k.page_bytes()) == 2147484672);
static_assert(page_offset(246724, mxfp4.page_bytes()) == 2147485696);

// A slot numbers the tokens of a pool: slot = page_id * num_tokens + token.
struct Slot {
  std::int64_t page_id = 0;
  int token = 0;

  bool operator==(const Slot&) const = default;
};
constexpr Slot slot_at(std::int64_t slot, const PageLayout& layout) {
  assert(slot >= 0);
  return {slot / layout.num_tokens, static_cast<int>(slot % layout.num_tokens)};
}

}  // namespace oracle
