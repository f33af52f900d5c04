#include "harness/suite/operations/oracle_views.hpp"

#include <fmt/format.h>

namespace harness {

oracle::Dtype oracle_dtype(DType dtype) {
  switch (dtype) {
    case DType::u8:
      return oracle::Dtype::u8;
    case DType::u16:
      return oracle::Dtype::u16;
    case DType::u32:
      return oracle::Dtype::u32;
    case DType::i32:
      return oracle::Dtype::i32;
    case DType::i64:
      return oracle::Dtype::i64;
    case DType::f8_e4m3:
      return oracle::Dtype::e4m3;
    case DType::f16:
      return oracle::Dtype::f16;
    case DType::bf16:
      return oracle::Dtype::bf16;
    case DType::f32:
      return oracle::Dtype::f32;
    case DType::f8_e5m2:
    case DType::f8_e8m0:
    case DType::e2m1:
      break;  // no view of the oracle has them
  }
  return oracle::Dtype::u8;
}

Result<oracle::ConstTensorView> oracle_view(const Problem& problem, std::string_view name) {
  const Tensor* tensor = problem.find(name);
  if (tensor == nullptr) {
    return oracle::fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: {}: expected a tensor of this name, got none", problem.operation, name));
  }
  return oracle::ConstTensorView{tensor->storage, oracle_dtype(tensor->dtype), tensor->shape,
                                 tensor->strides, tensor->origin_bytes};
}

oracle::TensorView oracle_view(const Tensor& tensor, std::span<std::uint8_t> storage) {
  return {storage, oracle_dtype(tensor.dtype), tensor.shape, tensor.strides, tensor.origin_bytes};
}

}  // namespace harness
