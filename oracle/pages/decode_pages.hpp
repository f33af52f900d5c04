// Whole pages back to numbers, element by element, from the exact product: the reference that the
// fast oracle is proved against. docs/design.md section 3.3.
#pragma once

#include <cstdint>
#include <span>

#include "oracle/numbers/dtype.hpp"
#include "oracle/pages/page_layout.hpp"
#include "oracle/pages/product.hpp"
#include "oracle/pages/tensor_view.hpp"
#include "oracle/profile.hpp"
#include "oracle/result.hpp"

namespace oracle {

// Bytes of one decoded page, [num_tokens, head_dim] of the destination.
constexpr std::int64_t decoded_page_bytes(const PageLayout& layout, Dtype destination) {
  return std::int64_t{layout.page_elements()} * static_cast<std::int64_t>(size_of(destination));
}

// The layout with the order of scales that a profile chooses.
constexpr PageLayout with_scale_order(PageLayout layout, ScaleOrderChoice choice) {
  switch (choice) {
    case ScaleOrderChoice::of_layout:
      break;
    case ScaleOrderChoice::linear:
      layout.scale_order = ScaleOrder::linear;
      break;
    case ScaleOrderChoice::quads:
      layout.scale_order = ScaleOrder::quads;
      break;
    case ScaleOrderChoice::swizzle_128x4:
      layout.scale_order = ScaleOrder::swizzle_128x4;
      break;
  }
  return layout;
}

// Decodes one page into [num_tokens, head_dim] of the destination, row by row. Correctly rounded.
// Every byte of `out` is written. The layout is taken as it is, its scale order included.
// Preconditions: layout.is_consistent(), page has layout.page_bytes() bytes, is_destination, and
// out has decoded_page_bytes.
void decode_page(const PageLayout& layout, std::span<const std::uint8_t> page, Dtype destination,
                 std::span<std::uint8_t> out, const Profile& profile);

// mxfp4_decode_pages: pages [..., 8704] u8 into out [..., 128, 128] of f32, bf16, f16 or e4m3, one
// rounding each, the leading axes being any number of any strides. The byte axis and `out` are
// contiguous. Errors: wrong_dtype, wrong_shape, wrong_stride; out_of_range where a page lies
// outside its storage, in which case nothing was written.
Result<void> mxfp4_decode_pages(const ConstTensorView& pages, const TensorView& out,
                                const Profile& profile);

// Where the pages of such a call lie, after the whole contract was checked.
struct DecodeMove {
  std::int64_t source_bytes = 0;       // from the first byte of pages[0, ..., 0]
  std::int64_t destination_bytes = 0;  // from the first byte of out[0, ..., 0]
};
struct DecodePlan {
  PageLayout layout;
  Dtype destination = Dtype::e4m3;
  std::vector<DecodeMove> moves;  // in the order of the leading index
};
Result<DecodePlan> plan_mxfp4_decode_pages(const ConstTensorView& pages, const ConstTensorView& out,
                                           const Profile& profile);

}  // namespace oracle
