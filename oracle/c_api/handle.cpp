#include "oracle/c_api/handle.hpp"

namespace oracle::c_api {
namespace {

constexpr std::int32_t max_rank = 16;

std::string& last_error() {
  thread_local std::string text;
  return text;
}

fp4cts_oracle_status status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return FP4CTS_ORACLE_INVALID_ARGUMENT;
    case ErrorCode::unknown_name:
      return FP4CTS_ORACLE_UNKNOWN_NAME;
    case ErrorCode::not_representable:
      return FP4CTS_ORACLE_NOT_REPRESENTABLE;
    case ErrorCode::wrong_dtype:
      return FP4CTS_ORACLE_WRONG_DTYPE;
    case ErrorCode::wrong_shape:
      return FP4CTS_ORACLE_WRONG_SHAPE;
    case ErrorCode::wrong_stride:
      return FP4CTS_ORACLE_WRONG_STRIDE;
    case ErrorCode::out_of_range:
      return FP4CTS_ORACLE_OUT_OF_RANGE;
    case ErrorCode::too_small:
      return FP4CTS_ORACLE_TOO_SMALL;
    default:
      return FP4CTS_ORACLE_INTERNAL;
  }
}

tl::unexpected<Error> refuse(ErrorCode code, std::string_view operation, std::string_view argument,
                             const std::string& what) {
  return fail(code, std::string(operation) + ": " + std::string(argument) + ": " + what);
}

}  // namespace

fp4cts_oracle_status failed(const Error& error) noexcept {
  try {
    last_error() = error.message;
  } catch (...) {
    last_error().clear();  // no memory for the sentence: the status alone says it
  }
  return status_of(error.code);
}

Result<void> check_arrays(std::string_view operation, std::int64_t count,
                          std::initializer_list<std::pair<std::string_view, const void*>> arrays) {
  if (count < 0) {
    return refuse(ErrorCode::invalid_argument, operation, "count",
                  "expected at least 0, got " + std::to_string(count));
  }
  for (const auto& [name, pointer] : arrays) {
    if (pointer == nullptr && count > 0) {
      return refuse(ErrorCode::invalid_argument, operation, name, "is null");
    }
  }
  return {};
}

Result<FormatSpec> scale_format_named(std::string_view operation, const char* name) {
  const std::string_view text = name != nullptr ? name : "";
  for (const FormatSpec& format : scale_formats) {
    if (text == format.name) return format;
  }
  return refuse(ErrorCode::unknown_name, operation, "scale_format",
                "expected e4m3 or e8m0, got '" + std::string(text) + "'");
}

Result<Dtype> dtype_numbered(std::string_view operation, std::string_view argument,
                             std::int32_t dtype) {
  static_assert(static_cast<int>(Dtype::f32) == FP4CTS_ORACLE_F32);
  if (dtype >= 0 && dtype <= FP4CTS_ORACLE_F32) return static_cast<Dtype>(dtype);
  return refuse(ErrorCode::wrong_dtype, operation, argument,
                "expected one of the dtypes of fp4cts/oracle.h, got " + std::to_string(dtype));
}

Result<TensorView> view_of(std::string_view operation, std::string_view argument,
                           const fp4cts_oracle_tensor& tensor) {
  const Result<Dtype> dtype = dtype_numbered(operation, argument, tensor.dtype);
  if (!dtype) return tl::make_unexpected(dtype.error());
  if (tensor.rank < 0 || tensor.rank > max_rank) {
    return refuse(ErrorCode::wrong_shape, operation, argument,
                  "expected 0 to 16 axes, got " + std::to_string(tensor.rank));
  }
  if (tensor.rank > 0 && tensor.shape == nullptr) {
    return refuse(ErrorCode::invalid_argument, operation, argument, "its shape is null");
  }
  if (tensor.storage == nullptr && tensor.storage_bytes > 0) {
    return refuse(ErrorCode::invalid_argument, operation, argument, "its storage is null");
  }
  TensorView view;
  view.storage = {static_cast<std::uint8_t*>(tensor.storage), tensor.storage_bytes};
  view.dtype = *dtype;
  view.shape.assign(tensor.shape, tensor.shape + tensor.rank);
  view.strides = tensor.strides != nullptr ? Extents(tensor.strides, tensor.strides + tensor.rank)
                                           : contiguous_strides(view.shape);
  view.origin_bytes = tensor.origin_bytes;
  return view;
}

}  // namespace oracle::c_api

extern "C" {

uint32_t fp4cts_oracle_version(void) { return FP4CTS_ORACLE_VERSION; }
const char* fp4cts_oracle_release(void) { return FP4CTS_RELEASE; }
const char* fp4cts_oracle_error(void) { return oracle::c_api::last_error().c_str(); }

}  // extern "C"
