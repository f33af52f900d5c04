// Views of pages without a copy: the MXFP4 pair of docs/design.md section 3.3, sub-views, and Eigen
// maps of the matrices in a page.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "oracle/pages/tensor_view.hpp"
#include "oracle/result.hpp"

namespace oracle {

template <class Byte>
struct MxfpPageViews {
  BasicTensorView<Byte> data;   // [..., 128, 64] u8, two codes a byte, the even element low
  BasicTensorView<Byte> scale;  // [..., 128, 4] E8M0 bytes
};

// `pages` is [..., 8704] u8: one axis or more. Leading axes keep their extents and strides, inner
// strides are (64, 1) and (4, 1), the scale view starts 8192 bytes later; nothing is copied.
// Errors: wrong_dtype and wrong_shape, each stating both dtype and last axis; wrong_stride where
// the byte axis is not contiguous.
Result<MxfpPageViews<const std::uint8_t>> mxfp4_page_views(const ConstTensorView& pages);
Result<MxfpPageViews<std::uint8_t>> mxfp4_page_views(const TensorView& pages);

// The view at one index of the outermost axis. Errors: wrong_shape without axes, out_of_range.
Result<ConstTensorView> select(const ConstTensorView& view, std::int64_t index);
Result<TensorView> select(const TensorView& view, std::int64_t index);

// A matrix of bytes with any strides, so that a page's codes, scales and e4m3 rows read as what
// they are: [tokens, columns].
using ByteMatrix = Eigen::Matrix<std::uint8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ByteMatrixStride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
using ConstByteMatrixMap = Eigen::Map<const ByteMatrix, Eigen::Unaligned, ByteMatrixStride>;
using ByteMatrixMap = Eigen::Map<ByteMatrix, Eigen::Unaligned, ByteMatrixStride>;

// `view` is [rows, columns] of a one-byte dtype. Errors: wrong_dtype, wrong_shape; wrong_stride for
// a negative one; out_of_range where an element lies outside the storage.
Result<ConstByteMatrixMap> as_matrix(const ConstTensorView& view);
Result<ByteMatrixMap> as_matrix(const TensorView& view);

}  // namespace oracle
