#include "harness/files/stored_form.hpp"

#include "harness/files/safetensors.hpp"

namespace harness {
namespace {

bool is_whole(const Tensor& tensor, std::size_t bytes) {
  if (tensor.origin_bytes != 0 || tensor.strides.size() != tensor.shape.size()) return false;
  std::int64_t stride = 1;
  for (std::size_t axis = tensor.shape.size(); axis-- > 0;) {
    if (tensor.shape[axis] <= 0 || tensor.strides[axis] != stride) return false;
    if (__builtin_mul_overflow(stride, tensor.shape[axis], &stride)) return false;
  }
  const auto whole = tensor_bytes(tensor.dtype, tensor.shape);
  return whole && *whole == bytes;
}

}  // namespace

StoredForm stored_form(const Tensor& tensor, std::size_t bytes) {
  // The files' own type of 4 bits has two codes in a byte.
  if (tensor.dtype == DType::e2m1) {
    Tensor codes = tensor;
    codes.dtype = DType::u8;
    codes.storage.clear();
    return stored_form(codes, bytes);
  }
  if (is_whole(tensor, bytes)) return {tensor.dtype, tensor.shape};
  const std::size_t width = element_bytes(tensor.dtype);
  if (bytes % width != 0) return {DType::u8, {static_cast<std::int64_t>(bytes)}};
  return {tensor.dtype, {static_cast<std::int64_t>(bytes / width)}};
}

}  // namespace harness
