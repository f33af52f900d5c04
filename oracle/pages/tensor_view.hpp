// A strided view of elements in memory that the caller owns, as torch and NumPy have it.
//
// The storage is all the memory there is, and it may be a window: element [0, ..., 0] lies
// `origin_bytes` after the storage's first byte, which may be before or behind the storage. So a
// pool of which only the pages around one large id are stored is a view with a large negative
// origin, and touching an element outside the window is an error, never undefined behaviour. All
// offsets are 64 bits. Elements are little-endian and need no alignment.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "oracle/numbers/dtype.hpp"
#include "oracle/result.hpp"

namespace oracle {

static_assert(std::endian::native == std::endian::little);

// Extents and strides, outermost axis first.
using Extents = std::vector<std::int64_t>;

template <class Byte>
struct BasicTensorView {
  std::span<Byte> storage;
  Dtype dtype = Dtype::u8;
  Extents shape;
  Extents strides;  // elements, not bytes
  std::int64_t origin_bytes = 0;

  std::size_t rank() const { return shape.size(); }

  // A view for writing is a view for reading.
  operator BasicTensorView<const std::uint8_t>() const  // NOLINT(google-explicit-constructor)
      requires(!std::is_const_v<Byte>) {
    return {storage, dtype, shape, strides, origin_bytes};
  }
};
using TensorView = BasicTensorView<std::uint8_t>;
using ConstTensorView = BasicTensorView<const std::uint8_t>;

// Strides of a tensor without gaps, the last axis innermost. Saturates at 2^63 - 1.
Extents contiguous_strides(const Extents& shape);

// Elements of a shape: the product of its extents, saturating at 2^63 - 1.
std::int64_t element_count(const Extents& shape);

// sum of index * stride; nothing where it leaves 64 bits. Precondition: equal lengths.
std::optional<std::int64_t> offset_of(std::span<const std::int64_t> index,
                                      std::span<const std::int64_t> strides);

// "[3, 128, 72]", "[3, *, 72]" with a star for an extent of -1.
std::string to_text(const Extents& extents);

// A view of a whole buffer without gaps. Error: too_small where the buffer cannot hold the shape.
Result<TensorView> contiguous_view(std::span<std::uint8_t> storage, Dtype dtype, Extents shape);
Result<ConstTensorView> contiguous_view(std::span<const std::uint8_t> storage, Dtype dtype,
                                        Extents shape);

// Whether bytes [begin, begin + size), counted from element [0, ..., 0], lie in the storage.
template <class Byte>
bool holds(const BasicTensorView<Byte>& view, std::int64_t begin, std::int64_t size) {
  std::int64_t first = 0;
  std::int64_t end = 0;
  if (__builtin_add_overflow(view.origin_bytes, begin, &first)) return false;
  if (__builtin_add_overflow(first, size, &end)) return false;
  return first >= 0 && size >= 0 && end <= static_cast<std::int64_t>(view.storage.size());
}

// Those bytes. Precondition: holds(view, begin, size).
template <class Byte>
std::span<Byte> bytes_at(const BasicTensorView<Byte>& view, std::int64_t begin, std::int64_t size) {
  return view.storage.subspan(static_cast<std::size_t>(view.origin_bytes + begin),
                              static_cast<std::size_t>(size));
}

// A little-endian integer, and its store.
template <class Int>
Int load(std::span<const std::uint8_t> bytes) {
  Int value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}
template <class Int>
void store(std::span<std::uint8_t> bytes, Int value) {
  std::memcpy(bytes.data(), &value, sizeof value);
}

}  // namespace oracle
