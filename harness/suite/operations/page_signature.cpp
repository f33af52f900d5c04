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

}  // namespace

Signature page_signature(const PageOperation& operation) {
  const oracle::PageLayout& layout = *operation.layout;
  Signature signature;
  signature.operation = operation.name;
  const std::string_view pool_pages = operation.has_table ? "num_blocks" : "num_pages";

  TensorSignature pool;
  pool.name = operation.pool;
  pool.dtypes = {DType::u8};
  pool.axes = {strided(layout, pool_pages, "page_stride_bytes")};
  if (operation.has_heads) {
    pool.axes.push_back(strided(layout, "num_heads", "head_stride_bytes"));
    pool.axes.back().optional = true;
  }
  if (operation.rows_are_tokens) {
    pool.axes.push_back(fixed(layout.num_tokens));
    pool.axes.push_back(fixed(layout.bytes_per_token()));
  } else {
    pool.axes.push_back(fixed(layout.page_bytes()));
  }
  pool.alignment_bytes = 8;
  signature.tensors.push_back(std::move(pool));

  if (operation.has_table) {
    Axis rows{.name = "num_reqs", .stride = "block_table_stride_elements"};
    signature.tensors.push_back(integers("block_table", {rows, {.name = "max_blocks"}}));
    signature.tensors.push_back(integers("num_pages", {{.name = "num_reqs"}}));
    signature.tensors.push_back(integers("page_offsets", {{.name = "num_reqs"}}));
    signature.scalars = {{.name = "max_num_pages", .type = ScalarType::i32, .least = 0}};
  }

  TensorSignature out;
  out.name = "out";
  out.role = Role::output;
  out.dtypes.assign(operation.dtypes.begin(), operation.dtypes.end());
  out.axes = {{.name = operation.has_table ? "out_pages" : pool_pages}};
  if (operation.has_heads) out.axes.push_back({.name = "num_heads", .optional = true});
  out.axes.push_back(fixed(layout.num_tokens));
  out.axes.push_back(fixed(layout.head_dim));
  out.alignment_bytes = 16;
  signature.tensors.push_back(std::move(out));

  signature.grid = operation.has_table ? std::vector<std::string_view>{"num_reqs", "max_num_pages"}
                                       : std::vector<std::string_view>{"num_pages"};
  if (operation.has_heads) signature.grid.emplace_back("num_heads");
  return signature;
}

}  // namespace harness
