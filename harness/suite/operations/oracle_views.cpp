#include "harness/suite/operations/oracle_views.hpp"

#include <fmt/format.h>

namespace harness {

Result<oracle::ConstTensorView> oracle_view(const Problem& problem, std::string_view name) {
  const Tensor* tensor = problem.find(name);
  if (tensor == nullptr) {
    return oracle::fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: {}: expected a tensor of this name, got none", problem.operation, name));
  }
  return oracle::ConstTensorView{tensor->storage, tensor->dtype, tensor->shape, tensor->strides,
                                 tensor->origin_bytes};
}

oracle::TensorView oracle_view(const Tensor& tensor, std::span<std::uint8_t> storage) {
  return {storage, tensor.dtype, tensor.shape, tensor.strides, tensor.origin_bytes};
}

}  // namespace harness
