// Writers: rows of 128 quantized into the slots of pages, docs/design.md section 3.4. The profile
// names the rule (nvfp4_writer, mxfp4_writer), the order of scales and the page stride.
//
//   slot = slot_mapping[i] = page_id * 128 + token; -1 writes nothing
//
// A write touches the 64 code bytes and the scale bytes of its token (and head), nothing else. The
// whole contract is checked before the first byte is written.
//
// Errors: wrong_dtype, wrong_shape, wrong_stride of each argument; out_of_range for a slot below -1
// or past the pool and for a row or page outside the stored window; invalid_argument for a slot
// that two rows write, and for a writable pool whose pages overlap.
//
// Choices where the text is silent: the row axis of 128 and slot_mapping have stride 1, other
// strides of rows are free (0 repeats a row); slot_mapping has one entry per row.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "oracle/blocks/block_scale.hpp"
#include "oracle/pages/page_layout.hpp"
#include "oracle/pages/pool_layout.hpp"
#include "oracle/pages/tensor_view.hpp"
#include "oracle/profile.hpp"
#include "oracle/result.hpp"

namespace oracle {

// Codes of one row in element order, and its scale bytes in group order.
struct QuantizedRow {
  std::vector<std::uint8_t> codes;   // head_dim, one code a byte
  std::vector<std::uint8_t> scales;  // groups_per_token

  bool operator==(const QuantizedRow&) const = default;
};

// Quantizes a row of f32 bits by the rule of the layout's scale format. Precondition: row has
// layout.head_dim elements.
QuantizedRow quantize_row(const PageLayout& layout, std::span<const std::uint32_t> row,
                          const Profile& profile);

// Puts codes and scales of one token into a page. The layout is taken as it is.
void write_token(const PageLayout& layout, std::span<std::uint8_t> page, int token,
                 const QuantizedRow& row);

struct WriteArguments {
  ConstTensorView rows;          // [num_tokens, (heads,) head_dim] f32, f16 or bf16
  ConstTensorView slot_mapping;  // [num_tokens] i64
  TensorView pages;              // as the PoolLayout says: [num_blocks, (heads,) ...] u8
};

// One row of one head, from where to where.
struct RowMove {
  std::int64_t row = 0;
  std::int64_t head = 0;
  Slot slot;
  std::int64_t source_bytes = 0;  // of the row, from the first byte of rows[0, ..., 0]
  std::int64_t page_bytes = 0;    // of the page, from the first byte of pages[0, ..., 0]
};

// A call whose whole contract holds, as the writes that it makes; rows of slot -1 are not among
// them.
struct WritePlan {
  PageLayout layout;
  Dtype source = Dtype::f32;
  std::vector<RowMove> moves;  // in the order row, head
};

// What a writer of pages is called, and into what. Pools of one plane.
struct PageWriter {
  std::string_view name;
  const PoolLayout* pool = nullptr;
};

namespace writers {

inline constexpr PageWriter nvfp4_write_index_k{"nvfp4_write_index_k", &pools::nvfp4_index_k};
inline constexpr PageWriter mxfp4_write_pages{"mxfp4_write_pages", &pools::mxfp4};

}  // namespace writers

Result<WritePlan> plan_write(const PageWriter& writer, const WriteArguments& arguments,
                             const Profile& profile);
Result<void> write(const PageWriter& writer, const WriteArguments& arguments,
                   const Profile& profile);

// By their names.
inline Result<void> nvfp4_write_index_k(const WriteArguments& arguments, const Profile& profile) {
  return write(writers::nvfp4_write_index_k, arguments, profile);
}
inline Result<void> mxfp4_write_pages(const WriteArguments& arguments, const Profile& profile) {
  return write(writers::mxfp4_write_pages, arguments, profile);
}

}  // namespace oracle
