#include "harness/suite/operations/page_problem.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/model/zeros_on_demand.hpp"
#include "harness/suite/operations/page_contents.hpp"

namespace harness {
namespace {

Tensor input(std::string name, DType dtype, std::vector<std::int64_t> shape,
             std::vector<std::int64_t> strides) {
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  tensor.strides = std::move(strides);
  return tensor;
}

Tensor integers(std::string name, const std::vector<std::int64_t>& values) {
  Tensor tensor =
      input(std::move(name), DType::i32, {static_cast<std::int64_t>(values.size())}, {1});
  tensor.storage.resize(values.size() * sizeof(std::int32_t));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<std::int32_t>(values[i]);
    std::memcpy(tensor.storage.data() + i * sizeof value, &value, sizeof value);
  }
  tensor.misalignment_bytes = flush_misalignment(tensor.storage.size());
  return tensor;
}

Tensor pool_tensor(const PageOperation& operation, const PoolSpec& pool,
                   std::vector<std::uint8_t> storage) {
  const oracle::PageLayout& layout = operation.layout();
  Tensor tensor = input(std::string(operation.pool().name), DType::u8, {pool.first_id + pool.pages},
                        {pool.stride_bytes});
  if (operation.pool().num_planes() > 1) {
    tensor.shape.push_back(operation.pool().num_planes());
    tensor.strides.push_back(pool.plane_stride_bytes);
  }
  if (operation.has_heads() && pool.has_head_axis) {
    tensor.shape.push_back(pool.heads);
    tensor.strides.push_back(pool.head_stride_bytes);
  }
  if (operation.pool().rows_are_tokens) {
    tensor.shape.insert(tensor.shape.end(), {layout.num_tokens, layout.bytes_per_token()});
    tensor.strides.insert(tensor.strides.end(), {layout.bytes_per_token(), 1});
  } else {
    tensor.shape.push_back(layout.page_bytes());
    tensor.strides.push_back(1);
  }
  tensor.origin_bytes = -pool.first_id * pool.stride_bytes;
  tensor.storage = std::move(storage);
  tensor.misalignment_bytes = pool.misalignment_bytes
                                  ? static_cast<std::uint32_t>(*pool.misalignment_bytes)
                                  : flush_misalignment(tensor.storage.size());
  return tensor;
}

// Entries of the table past num_pages, and between the rows of a table wider than its shape: ids
// that no page has, or that no stored page has, or ids of stored pages, never the one that a page
// left out would have.
std::int32_t entry_beyond(const PageSpec& spec, std::int64_t used, std::size_t place) {
  if (spec.table.beyond == Beyond::valid && spec.pool.pages > 0) {
    const std::int64_t number = (used + 1 + static_cast<std::int64_t>(place % 7)) % spec.pool.pages;
    return static_cast<std::int32_t>(spec.pool.first_id + number);
  }
  if (spec.table.beyond == Beyond::unstored) {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(place) % spec.pool.first_id);
  }
  return place % 2 == 0 ? -1 : INT32_MAX;
}

Tensor table_tensor(const PageSpec& spec, const CallSpec& call) {
  const auto requests = static_cast<std::int64_t>(call.num_pages.size());
  const std::int64_t width = table_width(spec);
  const std::int64_t stride = table_stride(spec);
  Tensor tensor = input("block_table", DType::i32, {requests, width}, {stride, 1});
  const std::int64_t entries = requests == 0 ? 0 : (requests - 1) * stride + width;
  tensor.storage = zeros_on_demand(static_cast<std::size_t>(entries) * sizeof(std::int32_t));
  const auto put = [&](std::size_t place, std::int32_t entry) {
    std::memcpy(tensor.storage.data() + place * sizeof entry, &entry, sizeof entry);
  };
  if (!sparse_table(spec)) {
    for (std::size_t place = 0; place < static_cast<std::size_t>(entries); ++place) {
      put(place, entry_beyond(spec, 0, place));
    }
  }
  const std::vector<std::vector<std::int64_t>> rows = named_page_numbers(spec, call);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::size_t row = r * static_cast<std::size_t>(stride);
    const std::int64_t last = rows[r].empty() ? 0 : rows[r].back();
    for (std::size_t p = 0; p < static_cast<std::size_t>(width); ++p) {
      put(row + p, p < rows[r].size() ? static_cast<std::int32_t>(spec.pool.first_id + rows[r][p])
                                      : entry_beyond(spec, last, row + p));
    }
  }
  tensor.misalignment_bytes = flush_misalignment(tensor.storage.size());
  return tensor;
}

Tensor output_tensor(const PageOperation& operation, const PageSpec& spec) {
  const oracle::PageLayout& layout = operation.layout();
  const OutputSpec& output = spec.output;
  const std::int64_t stored = output.lead_pages + output_extent_pages(spec) + output.spare_pages;
  // Without a table there is just a page for each; what else is stored lies behind the tensor.
  std::vector<std::int64_t> shape{
      operation.has_table() ? output.first_page - output.lead_pages + stored : spec.pool.pages};
  if (operation.pool().num_planes() > 1) shape.push_back(operation.pool().num_planes());
  if (operation.has_heads() && spec.pool.has_head_axis) shape.push_back(spec.pool.heads);
  shape.insert(shape.end(), {layout.num_tokens, layout.head_dim});
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t axis = shape.size() - 1; axis > 0; --axis) {
    strides[axis - 1] = strides[axis] * shape[axis];
  }
  const std::int64_t page_bytes =
      strides[0] * static_cast<std::int64_t>(element_bytes(output.dtype));
  Tensor tensor = input("out", output.dtype, std::move(shape), std::move(strides));
  tensor.role = Role::output;
  tensor.origin_bytes = -(output.first_page - output.lead_pages) * page_bytes;
  tensor.misalignment_bytes = static_cast<std::uint32_t>(output.misalignment_bytes);
  tensor.storage.assign(static_cast<std::size_t>(stored * page_bytes), output.fill);
  return tensor;
}

}  // namespace

Result<std::vector<Problem>> page_problems(const PageOperation& operation, const PageSpec& spec) {
  auto pool = pool_storage(operation.pool(), spec);
  if (!pool) return tl::make_unexpected(pool.error());
  std::vector<Problem> problems;
  for (const CallSpec& call : spec.calls) {
    Problem problem;
    problem.operation = operation.name();
    // A pool of gigabytes is not copied for the last of its calls.
    const bool last = problems.size() + 1 == spec.calls.size();
    problem.tensors.push_back(pool_tensor(operation, spec.pool, last ? std::move(*pool) : *pool));
    if (operation.has_table()) {
      problem.tensors.push_back(table_tensor(spec, call));
      problem.tensors.push_back(integers("num_pages", call.num_pages));
      problem.tensors.push_back(integers("page_offsets", page_offsets(spec, call)));
      problem.scalars["max_num_pages"] = spec.max_num_pages.value_or(largest_num_pages(spec));
    }
    problem.tensors.push_back(output_tensor(operation, spec));
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace harness
