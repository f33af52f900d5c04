#include "oracle/pages/decode_pages.hpp"

#include <cassert>

#include "oracle/pages/contract.hpp"

namespace oracle {

void decode_page(const PageLayout& layout, std::span<const std::uint8_t> page, Dtype destination,
                 std::span<std::uint8_t> out, const Profile& profile) {
  assert(layout.is_consistent() && is_destination(destination));
  assert(static_cast<std::int64_t>(page.size()) == layout.page_bytes());
  assert(static_cast<std::int64_t>(out.size()) == decoded_page_bytes(layout, destination));
  const std::size_t width = size_of(destination);
  std::uint8_t* to = out.data();
  for (int token = 0; token < layout.num_tokens; ++token) {
    for (int element = 0; element < layout.head_dim; ++element) {
      const std::uint8_t code = layout.code(page.data(), token, element);
      const std::uint8_t scale = layout.scale(page.data(), token, layout.group_of(element));
      const std::uint32_t bits =
          decode_element(layout.scale_format, code, scale, destination, profile);
      std::memcpy(to, &bits, width);  // little-endian: the low bytes
      to += width;
    }
  }
}

Result<DecodePlan> plan_mxfp4_decode_pages(const ConstTensorView& pages, const ConstTensorView& out,
                                           const Profile& profile) {
  Contract contract("mxfp4_decode_pages");
  Extents page_pattern(pages.rank(), -1);
  Extents out_pattern = pages.shape;
  if (pages.rank() == 0) {
    page_pattern = {-1};
    out_pattern = {-1};
  }
  page_pattern.back() = mxfp4.page_bytes();
  out_pattern.back() = mxfp4.num_tokens;
  out_pattern.push_back(mxfp4.head_dim);
  Extents page_strides(page_pattern.size(), -1);
  page_strides.back() = 1;
  contract.dtype("pages", pages.dtype, {Dtype::u8})
      .shape("pages", pages.shape, page_pattern)
      .strides("pages", pages.strides, page_strides)
      .dtype("out", out.dtype, {Dtype::e4m3, Dtype::f32, Dtype::bf16, Dtype::f16})
      .shape("out", out.shape, out_pattern)
      .contiguous("out", out.shape, out.strides);
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());

  DecodePlan plan{with_scale_order(mxfp4, profile.scale_order), out.dtype, {}};
  const Extents leading(pages.shape.begin(), pages.shape.end() - 1);
  const std::int64_t count = element_count(leading);
  const std::int64_t out_bytes = decoded_page_bytes(plan.layout, plan.destination);
  const Extents dense = contiguous_strides(pages.shape);
  const Extents& strides = profile.page_stride == PageStride::dense ? dense : pages.strides;
  Extents index(leading.size(), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::optional<std::int64_t> source =
        offset_of(index, std::span(strides).first(index.size()));
    const std::int64_t destination = i * out_bytes;
    contract.stored("pages", pages, source, mxfp4.page_bytes())
        .stored("out", out, destination, out_bytes);
    if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
    plan.moves.push_back({*source, destination});
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < leading[axis]) break;
      index[axis] = 0;
    }
  }
  return plan;
}

Result<void> mxfp4_decode_pages(const ConstTensorView& pages, const TensorView& out,
                                const Profile& profile) {
  const Result<DecodePlan> plan = plan_mxfp4_decode_pages(pages, out, profile);
  if (!plan) return tl::make_unexpected(plan.error());
  const std::int64_t out_bytes = decoded_page_bytes(plan->layout, plan->destination);
  for (const DecodeMove& move : plan->moves) {
    decode_page(plan->layout, bytes_at(pages, move.source_bytes, plan->layout.page_bytes()),
                plan->destination, bytes_at(out, move.destination_bytes, out_bytes), profile);
  }
  return {};
}

}  // namespace oracle
