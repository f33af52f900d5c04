#include "harness/suite/operations/rows.hpp"

#include <fmt/format.h>

#include "harness/suite/operations/oracle_views.hpp"

namespace harness {
namespace {

std::string_view word_of(Role role) { return role == Role::input ? "an input" : "an output"; }

Status check_row(const Problem& problem, const Row& row, std::int64_t count) {
  const auto refuse = [&](ErrorCode code, std::string_view what, std::string_view expected,
                          std::string_view actual) {
    return oracle::fail(code, fmt::format("{}: {}: {}expected {}, got {}", problem.operation,
                                          row.name, what, expected, actual));
  };
  const Tensor& tensor = *problem.find(row.name);
  if (tensor.dtype != row.dtype) {
    return refuse(ErrorCode::wrong_dtype, "dtype: ", name_of(row.dtype), name_of(tensor.dtype));
  }
  if (tensor.shape != oracle::Extents{count} || count < 0) {
    return refuse(ErrorCode::wrong_shape, "shape: ", count < 0 ? "[*]" : fmt::format("[{}]", count),
                  oracle::to_text(tensor.shape));
  }
  if (tensor.strides != oracle::Extents{1}) {
    return refuse(ErrorCode::wrong_stride, "strides: ", "[1]", oracle::to_text(tensor.strides));
  }
  const auto width = static_cast<std::int64_t>(element_bytes(row.dtype));
  const auto stored = static_cast<std::int64_t>(tensor.storage.size());
  if (stored % width != 0 || stored / width != count) {
    return refuse(stored / width < count ? ErrorCode::too_small : ErrorCode::wrong_shape, "",
                  fmt::format("{} elements of {} bytes of storage", count, width),
                  fmt::format("{} bytes", stored));
  }
  if (tensor.origin_bytes != 0) {
    return refuse(ErrorCode::invalid_argument, "origin: ", "the first byte of the storage",
                  fmt::format("byte {}", tensor.origin_bytes));
  }
  if (tensor.role != row.role) {
    return refuse(ErrorCode::invalid_argument, "", word_of(row.role), word_of(tensor.role));
  }
  return {};
}

}  // namespace

Status check_rows(const Problem& problem, std::initializer_list<Row> rows) {
  std::int64_t count = -1;
  for (const Row& row : rows) {
    // Says it where there is none.
    if (const auto view = oracle_view(problem, row.name); !view) {
      return tl::make_unexpected(view.error());
    }
    const Tensor& tensor = *problem.find(row.name);
    if (count < 0 && tensor.shape.size() == 1) count = tensor.shape.front();
    if (Status status = check_row(problem, row, count); !status) return status;
  }
  if (problem.tensors.size() != rows.size() || !problem.scalars.empty()) {
    return oracle::fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: expected {} tensors and no scalar, got {} and {}", problem.operation,
                    rows.size(), problem.tensors.size(), problem.scalars.size()));
  }
  return {};
}

}  // namespace harness
