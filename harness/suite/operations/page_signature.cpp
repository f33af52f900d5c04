#include "harness/suite/operations/page_signature.hpp"

namespace harness {
namespace {

TensorSignature integers(std::string_view name, std::vector<Axis> axes) {
  TensorSignature tensor;
  tensor.name = name;
  tensor.dtypes = {DType::i32};
  tensor.axes = std::move(axes);
  return tensor;
}

// A distance in a pool: whole pages, at multiples of what the widest load of a kernel takes.
Axis strided(const oracle::PageLayout& layout, std::string_view extent, std::string_view stride) {
  Axis axis;
  axis.name = extent;
  axis.stride = stride;
  axis.least_stride_bytes = layout.page_bytes();
  axis.stride_multiple_bytes = 8;
  return axis;
}

Axis fixed(std::int64_t extent) {
  Axis axis;
  axis.extent = extent;
  return axis;
}

Axis heads_of(const oracle::PoolLayout& pool, Axis axis) {
  axis.optional = pool.heads == oracle::HeadAxis::optional;
  return axis;
}

}  // namespace

TensorSignature pool_signature(const oracle::PoolLayout& pool, std::string_view pages) {
  const oracle::PageLayout& layout = pool.layout();
  TensorSignature tensor;
  tensor.name = pool.name;
  tensor.dtypes = {DType::u8};
  tensor.axes = {strided(layout, pages, "page_stride_bytes")};
  if (pool.num_planes() > 1) {
    tensor.axes.push_back(strided(layout, {}, "plane_stride_bytes"));
    tensor.axes.back().extent = pool.num_planes();
  }
  if (pool.heads != oracle::HeadAxis::none) {
    tensor.axes.push_back(heads_of(pool, strided(layout, "num_heads", "head_stride_bytes")));
  }
  if (pool.rows_are_tokens) {
    tensor.axes.push_back(fixed(layout.num_tokens));
    tensor.axes.push_back(fixed(layout.bytes_per_token()));
  } else {
    tensor.axes.push_back(fixed(layout.page_bytes()));
  }
  tensor.alignment_bytes = 8;
  return tensor;
}

Signature page_signature(const oracle::PageReader& reader) {
  const oracle::PoolLayout& pool = *reader.pool;
  const oracle::PageLayout& layout = pool.layout();
  const bool has_heads = pool.heads != oracle::HeadAxis::none;
  Signature signature;
  signature.operation = reader.name;
  const std::string_view pool_pages = reader.has_table ? "num_blocks" : "num_pages";
  signature.tensors.push_back(pool_signature(pool, pool_pages));

  if (reader.has_table) {
    Axis rows{.name = "num_reqs", .stride = "block_table_stride_elements"};
    signature.tensors.push_back(integers("block_table", {rows, {.name = "max_blocks"}}));
    signature.tensors.push_back(integers("num_pages", {{.name = "num_reqs"}}));
    signature.tensors.push_back(integers("page_offsets", {{.name = "num_reqs"}}));
    signature.scalars = {{.name = "max_num_pages", .type = ScalarType::i32, .least = 0}};
  }

  TensorSignature out;
  out.name = "out";
  out.role = Role::output;
  out.dtypes.assign(reader.destinations.begin(), reader.destinations.end());
  out.axes = {{.name = reader.has_table ? "out_pages" : pool_pages}};
  if (pool.num_planes() > 1) out.axes.push_back(fixed(pool.num_planes()));
  if (has_heads) out.axes.push_back(heads_of(pool, {.name = "num_heads"}));
  out.axes.push_back(fixed(layout.num_tokens));
  out.axes.push_back(fixed(layout.head_dim));
  out.alignment_bytes = 16;
  signature.tensors.push_back(std::move(out));

  signature.grid = reader.has_table ? std::vector<std::string_view>{"num_reqs", "max_num_pages"}
                                    : std::vector<std::string_view>{"num_pages"};
  if (has_heads) signature.grid.emplace_back("num_heads");
  signature.grid_factor = pool.num_planes();
  return signature;
}

}  // namespace harness
