#include "oracle/pages/page_view.hpp"

#include <string>

#include "oracle/pages/contract.hpp"
#include "oracle/pages/page_layout.hpp"

namespace oracle {
namespace {

template <class Byte>
Result<MxfpPageViews<Byte>> page_views(const BasicTensorView<Byte>& pages) {
  constexpr std::int64_t page_bytes = mxfp4.page_bytes();
  const auto states = [](Dtype dtype, const std::string& last_axis) {
    return "dtype " + std::string(name_of(dtype)) + " and last axis " + last_axis;
  };
  const bool has_axis = pages.rank() != 0 && pages.strides.size() == pages.rank();
  const std::string expected = states(Dtype::u8, std::to_string(page_bytes));
  const std::string actual =
      states(pages.dtype, has_axis ? std::to_string(pages.shape.back()) : "missing");

  Contract contract("mxfp4_page_views");
  contract.require(pages.dtype == Dtype::u8, ErrorCode::wrong_dtype, "pages", expected, actual)
      .require(has_axis && pages.shape.back() == page_bytes, ErrorCode::wrong_shape, "pages",
               expected, actual);
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  contract.require(pages.strides.back() == 1, ErrorCode::wrong_stride, "pages byte axis",
                   "a contiguous one, stride 1", "stride " + std::to_string(pages.strides.back()));
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());

  const auto inner = [&](std::int64_t columns, std::int64_t offset_bytes) {
    BasicTensorView<Byte> view = pages;
    view.shape.back() = mxfp4.num_tokens;
    view.shape.push_back(columns);
    view.strides.back() = columns;
    view.strides.push_back(1);
    view.origin_bytes += offset_bytes;
    return view;
  };
  return MxfpPageViews<Byte>{
      inner(mxfp4.code_bytes_per_token(), mxfp4.code_section_offset()),
      inner(mxfp4.scale_bytes_per_token(), mxfp4.scale_section_offset()),
  };
}

template <class Byte>
Result<BasicTensorView<Byte>> select_outermost(const BasicTensorView<Byte>& view,
                                               std::int64_t index) {
  Contract contract("select");
  contract.require(view.rank() != 0 && view.strides.size() == view.rank(), ErrorCode::wrong_shape,
                   "view shape", "an axis or more, each with a stride", to_text(view.shape));
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  contract.require(index >= 0 && index < view.shape.front(), ErrorCode::out_of_range, "index",
                   "0 to " + std::to_string(view.shape.front() - 1), std::to_string(index));
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  BasicTensorView<Byte> inner = view;
  inner.origin_bytes +=
      index * view.strides.front() * static_cast<std::int64_t>(size_of(view.dtype));
  inner.shape.erase(inner.shape.begin());
  inner.strides.erase(inner.strides.begin());
  return inner;
}

template <class Map, class Byte>
Result<Map> matrix(const BasicTensorView<Byte>& view) {
  Contract contract("as_matrix");
  contract.dtype("view", view.dtype, {Dtype::u8, Dtype::e4m3}).shape("view", view.shape, {-1, -1});
  contract.require(view.strides.size() == 2 && view.strides[0] >= 0 && view.strides[1] >= 0,
                   ErrorCode::wrong_stride, "view strides", "two that are not negative",
                   to_text(view.strides));
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  const bool empty = element_count(view.shape) == 0;
  const std::int64_t extent =
      empty ? 0 : (view.shape[0] - 1) * view.strides[0] + (view.shape[1] - 1) * view.strides[1] + 1;
  contract.require(
      empty || holds(view, 0, extent), ErrorCode::out_of_range, "view extent",
      std::to_string(extent) + " bytes of storage from byte " + std::to_string(view.origin_bytes),
      std::to_string(view.storage.size()) + " bytes of storage");
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  const auto stride = ByteMatrixStride(view.strides[0], view.strides[1]);
  return Map(empty ? view.storage.data() : bytes_at(view, 0, extent).data(), view.shape[0],
             view.shape[1], stride);
}

}  // namespace

Result<MxfpPageViews<const std::uint8_t>> mxfp4_page_views(const ConstTensorView& pages) {
  return page_views(pages);
}
Result<MxfpPageViews<std::uint8_t>> mxfp4_page_views(const TensorView& pages) {
  return page_views(pages);
}

Result<ConstTensorView> select(const ConstTensorView& view, std::int64_t index) {
  return select_outermost(view, index);
}
Result<TensorView> select(const TensorView& view, std::int64_t index) {
  return select_outermost(view, index);
}

Result<ConstByteMatrixMap> as_matrix(const ConstTensorView& view) {
  return matrix<ConstByteMatrixMap>(view);
}
Result<ByteMatrixMap> as_matrix(const TensorView& view) { return matrix<ByteMatrixMap>(view); }

}  // namespace oracle
