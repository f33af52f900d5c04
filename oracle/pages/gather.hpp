// Gathers of pages through a block table, from any pool: docs/design.md sections 3.2, 3.3 and 3.5.
//
//   out[page_offsets[r] + p, (side,) (h,) t, e] = code(t, e) * scale(t, group of e), rounded once,
//       of page block_table[r][p] (and plane `side`, and head h), for p < num_pages[r]
//
// Nothing else is written. num_reqs == 0 or max_num_pages == 0 returns at once: dtypes, shapes and
// strides are checked, contents are not looked at. Entries of block_table beyond num_pages[r] may
// hold anything and are not followed. The whole contract is checked before the first byte is
// written, so a call that fails has written nothing.
//
// Errors (operation, argument, expected, actual in the message):
//   wrong_dtype, wrong_shape, wrong_stride  of each argument; a page stride below the page's bytes;
//                                           an `out` that is not contiguous
//   invalid_argument  max_num_pages or num_pages[r] negative; num_pages[r] above max_num_pages;
//                     output pages of two requests overlap
//   out_of_range      num_pages[r] above the width of the table; a page id outside the pool;
//                     page_offsets[r] negative; a page outside the stored window of a biased view
//   too_small         `out` ends before the last page of a request, or has fewer pages than the sum
//
// Choices where the text is silent: num_pages and page_offsets have stride 1, as block_table's
// rows; the row stride of block_table may be anything, 0 included; the page stride is checked for a
// pool of one page as well; a request without pages may have any page_offsets[r] that is not
// negative.
#pragma once

#include <cstdint>
#include <vector>

#include "oracle/pages/decode_pages.hpp"
#include "oracle/pages/page_layout.hpp"
#include "oracle/pages/pool_layout.hpp"
#include "oracle/pages/tensor_view.hpp"
#include "oracle/profile.hpp"
#include "oracle/result.hpp"

namespace oracle {

// Arguments by name, shape and dtype.
struct GatherArguments {
  ConstTensorView pages;         // as the PoolLayout says: [num_blocks, (planes,) (heads,) ...] u8
  ConstTensorView block_table;   // [num_reqs, max_blocks] i32
  ConstTensorView num_pages;     // [num_reqs] i32
  ConstTensorView page_offsets;  // [num_reqs] i32
  std::int64_t max_num_pages = 0;
  TensorView out;  // [>= sum(num_pages), (planes,) (heads,) num_tokens, head_dim], contiguous
};

// One page of one plane and head, from where to where.
struct PageMove {
  std::int64_t request = 0;
  std::int64_t logical_page = 0;
  std::int64_t page_id = 0;
  std::int64_t plane = 0;
  std::int64_t head = 0;
  std::int64_t output_page = 0;
  std::int64_t source_bytes = 0;       // from the first byte of pages[0, ..., 0]
  std::int64_t destination_bytes = 0;  // from the first byte of out[0, ..., 0]
};

// A call whose whole contract holds, as the moves that it makes, in the order request, page, plane,
// head.
struct PagePlan {
  std::vector<PageLayout> layouts;  // of the planes, their scales as the profile orders them
  Dtype destination = Dtype::e4m3;
  std::vector<PageMove> moves;

  // Of a plane; all have the shape and the formats of the first.
  const PageLayout& layout(std::int64_t plane = 0) const {
    return layouts[static_cast<std::size_t>(plane)];
  }
};

Result<PagePlan> plan_gather(const PageReader& reader, const GatherArguments& arguments,
                             const Profile& profile);
Result<void> gather(const PageReader& reader, const GatherArguments& arguments,
                    const Profile& profile);

// By their names.
inline Result<void> nvfp4_gather_index_k(const GatherArguments& arguments, const Profile& profile) {
  return gather(readers::nvfp4_gather_index_k, arguments, profile);
}
inline Result<void> mxfp4_gather_pages(const GatherArguments& arguments, const Profile& profile) {
  return gather(readers::mxfp4_gather_pages, arguments, profile);
}

}  // namespace oracle
