// Gathers of pages through a block table: docs/design.md section 3.2 (`nvfp4_gather_index_k`) and
// its twin for MXFP4 pages with or without heads (`mxfp4_gather_pages`).
//
//   out[page_offsets[r] + p, (h,) t, e] = code(t, e) * scale(t, group of e), rounded once,
//       of page block_table[r][p] (and head h), for p < num_pages[r]
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
#include "oracle/pages/tensor_view.hpp"
#include "oracle/profile.hpp"
#include "oracle/result.hpp"

namespace oracle {

// Arguments by name, shape and dtype.
struct GatherArguments {
  ConstTensorView pages;         // nvfp4: kv_cache [num_blocks, 128, 72] u8, inner strides 72 and 1
                                 // mxfp4: [num_blocks, 8704] or [num_blocks, heads, 8704] u8
  ConstTensorView block_table;   // [num_reqs, max_blocks] i32
  ConstTensorView num_pages;     // [num_reqs] i32
  ConstTensorView page_offsets;  // [num_reqs] i32
  std::int64_t max_num_pages = 0;
  TensorView out;  // nvfp4: [>= sum(num_pages), 128, 128] e4m3
                   // mxfp4: [>= sum(num_pages), (heads,) 128, 128] e4m3, f32, bf16 or f16
};

// One page of one head, from where to where.
struct PageMove {
  std::int64_t request = 0;
  std::int64_t logical_page = 0;
  std::int64_t page_id = 0;
  std::int64_t head = 0;
  std::int64_t output_page = 0;
  std::int64_t source_bytes = 0;       // from the first byte of pages[0, ..., 0]
  std::int64_t destination_bytes = 0;  // from the first byte of out[0, ..., 0]
};

// A call whose whole contract holds, as the moves that it makes, in the order request, page, head.
struct GatherPlan {
  PageLayout layout;
  Dtype destination = Dtype::e4m3;
  std::vector<PageMove> moves;
};

Result<GatherPlan> plan_nvfp4_gather_index_k(const GatherArguments& arguments,
                                             const Profile& profile);
Result<GatherPlan> plan_mxfp4_gather_pages(const GatherArguments& arguments,
                                           const Profile& profile);

Result<void> nvfp4_gather_index_k(const GatherArguments& arguments, const Profile& profile);
Result<void> mxfp4_gather_pages(const GatherArguments& arguments, const Profile& profile);

}  // namespace oracle
