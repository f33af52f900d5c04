#include "oracle/pages/tensor_view.hpp"

#include <cassert>
#include <limits>
#include <utility>

namespace oracle {
namespace {

std::int64_t saturating_product(std::int64_t x, std::int64_t y) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(x, y, &product) ? std::numeric_limits<std::int64_t>::max()
                                                : product;
}

template <class Byte>
Result<BasicTensorView<Byte>> contiguous(std::span<Byte> storage, Dtype dtype, Extents shape) {
  const std::int64_t expected =
      saturating_product(element_count(shape), static_cast<std::int64_t>(size_of(dtype)));
  if (expected > static_cast<std::int64_t>(storage.size())) {
    return fail(ErrorCode::too_small, "view of " + std::string(name_of(dtype)) + to_text(shape) +
                                          ": expected at least " + std::to_string(expected) +
                                          " bytes of storage, got " +
                                          std::to_string(storage.size()));
  }
  Extents strides = contiguous_strides(shape);
  return BasicTensorView<Byte>{storage, dtype, std::move(shape), std::move(strides), 0};
}

}  // namespace

Extents contiguous_strides(const Extents& shape) {
  Extents strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride = saturating_product(stride, shape[axis]);
  }
  return strides;
}

std::int64_t element_count(const Extents& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count = saturating_product(count, extent);
  return count;
}

std::optional<std::int64_t> offset_of(std::span<const std::int64_t> index,
                                      std::span<const std::int64_t> strides) {
  assert(index.size() == strides.size());
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    std::int64_t term = 0;
    if (__builtin_mul_overflow(index[axis], strides[axis], &term) ||
        __builtin_add_overflow(offset, term, &offset)) {
      return std::nullopt;
    }
  }
  return offset;
}

std::string to_text(const Extents& extents) {
  std::string text = "[";
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (i != 0) text += ", ";
    text += extents[i] == -1 ? std::string("*") : std::to_string(extents[i]);
  }
  return text + "]";
}

Result<TensorView> contiguous_view(std::span<std::uint8_t> storage, Dtype dtype, Extents shape) {
  return contiguous(storage, dtype, std::move(shape));
}

Result<ConstTensorView> contiguous_view(std::span<const std::uint8_t> storage, Dtype dtype,
                                        Extents shape) {
  return contiguous(storage, dtype, std::move(shape));
}

}  // namespace oracle
