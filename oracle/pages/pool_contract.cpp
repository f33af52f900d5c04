#include "oracle/pages/pool_contract.hpp"

#include <string>

#include "oracle/pages/decode_pages.hpp"

namespace oracle {
namespace {

bool has_head_axis(const PoolLayout& pool, const ConstTensorView& view, HeadsAre heads_are,
                   std::int64_t heads) {
  if (pool.heads != HeadAxis::optional) return pool.heads == HeadAxis::required;
  if (heads_are == HeadsAre::as_stated) return heads != 0;
  const std::size_t without =
      (pool.num_planes() > 1 ? 2U : 1U) + static_cast<std::size_t>(pool.num_inner_axes());
  return view.rank() == without + 1;
}

}  // namespace

PoolShape check_pool(Contract& contract, const PoolLayout& pool, const ConstTensorView& view,
                     HeadsAre heads_are, std::int64_t heads, const Profile& profile) {
  const PageLayout& layout = pool.layout();
  const std::int64_t page_bytes = layout.page_bytes();
  PoolShape shape;
  shape.has_head_axis = has_head_axis(pool, view, heads_are, heads);
  Extents extents{-1};
  Extents strides{-1};
  if (pool.num_planes() > 1) {
    extents.push_back(pool.num_planes());
    strides.push_back(-1);
  }
  if (shape.has_head_axis) {
    extents.push_back(heads_are == HeadsAre::as_stated ? heads : -1);
    strides.push_back(-1);
  }
  const std::size_t outer = extents.size();
  if (pool.rows_are_tokens) {
    extents.insert(extents.end(), {layout.num_tokens, layout.bytes_per_token()});
    strides.insert(strides.end(), {layout.bytes_per_token(), 1});
  } else {
    extents.push_back(page_bytes);
    strides.push_back(1);
  }
  contract.dtype(pool.name, view.dtype, {Dtype::u8})
      .shape(pool.name, view.shape, extents)
      .strides(pool.name, view.strides, strides);
  if (!contract.holds_so_far()) return shape;

  const std::string name(pool.name);
  const auto at_least_a_page = [&](std::string_view axis, std::int64_t stride) {
    contract.at_least(ErrorCode::wrong_stride, name + std::string(axis) + " stride in bytes",
                      stride, page_bytes);
  };
  shape.num_blocks = view.shape[0];
  shape.num_planes = pool.num_planes();
  if (shape.has_head_axis) shape.num_heads = view.shape[outer - 1];
  shape.strides_bytes = {view.strides[0], page_bytes, page_bytes};
  at_least_a_page(" page", view.strides[0]);
  if (shape.num_planes > 1) {
    shape.strides_bytes[1] = view.strides[1];
    at_least_a_page(" plane", view.strides[1]);
  }
  if (shape.has_head_axis) {
    shape.strides_bytes[2] = view.strides[outer - 1];
    at_least_a_page(" head", view.strides[outer - 1]);
  }
  if (profile.page_stride == PageStride::dense) {
    const std::int64_t plane_bytes = element_count({shape.num_heads, page_bytes});
    shape.strides_bytes = {element_count({shape.num_planes, plane_bytes}), plane_bytes, page_bytes};
  }
  for (std::int64_t plane = 0; plane < shape.num_planes; ++plane) {
    shape.layouts.push_back(with_scale_order(pool.layout(plane), profile.scale_order));
  }
  return shape;
}

}  // namespace oracle
