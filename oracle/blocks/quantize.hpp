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
#include <vector>

#include "oracle/blocks/block_scale.hpp"
#include "oracle/pages/page_layout.hpp"
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
  // nvfp4: [num_tokens, 128]; mxfp4: [num_tokens, 128] or [num_tokens, heads, 128]; f32, f16, bf16
  ConstTensorView rows;
  ConstTensorView slot_mapping;  // [num_tokens] i64
  // nvfp4: kv_cache [num_blocks, 128, 72] u8, inner strides 72 and 1, page stride >= 9216
  // mxfp4: [num_blocks, 8704] or, for rows with heads, [num_blocks, heads, 8704] u8
  TensorView pages;
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

Result<WritePlan> plan_nvfp4_write_index_k(const WriteArguments& arguments, const Profile& profile);
Result<WritePlan> plan_mxfp4_write_pages(const WriteArguments& arguments, const Profile& profile);

Result<void> nvfp4_write_index_k(const WriteArguments& arguments, const Profile& profile);
Result<void> mxfp4_write_pages(const WriteArguments& arguments, const Profile& profile);

}  // namespace oracle
