#include "harness/suite/signature_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "oracle/pages/tensor_view.hpp"

namespace harness {
namespace {

std::string_view word_of(Role role) { return role == Role::input ? "an input" : "an output"; }

// "F8_E4M3, F32, BF16 or F16"
std::string one_of(const std::vector<DType>& dtypes) {
  std::string text;
  for (std::size_t i = 0; i < dtypes.size(); ++i) {
    if (i != 0) text += i + 1 == dtypes.size() ? " or " : ", ";
    text += name_of(dtypes[i]);
  }
  return text;
}

// Checks one tensor after the other, and keeps the extents that the first of a name had.
class Check {
 public:
  Check(const Signature& signature, const Problem& problem)
      : signature_(signature), problem_(problem) {}

  Status run() {
    for (const TensorSignature& tensor : signature_.tensors) {
      const Tensor* const actual = problem_.find(tensor.name);
      if (actual == nullptr) {
        return refuse(ErrorCode::invalid_argument, tensor.name, "a tensor of this name", "none");
      }
      if (Status status = check(tensor, *actual); !status) return status;
    }
    return scalars();
  }

 private:
  Status refuse(ErrorCode code, std::string_view place, std::string_view expected,
                std::string_view actual) const {
    return oracle::fail(code, fmt::format("{}: {}: expected {}, got {}", problem_.operation, place,
                                          expected, actual));
  }

  Status check(const TensorSignature& tensor, const Tensor& actual) {
    if (std::find(tensor.dtypes.begin(), tensor.dtypes.end(), actual.dtype) ==
        tensor.dtypes.end()) {
      return refuse(ErrorCode::wrong_dtype, fmt::format("{}: dtype", tensor.name),
                    one_of(tensor.dtypes), name_of(actual.dtype));
    }
    if (Status status = shape(tensor, actual); !status) return status;
    if (Status status = strides(tensor, actual); !status) return status;
    if (tensor.whole) {
      if (Status status = whole(tensor, actual); !status) return status;
    }
    if (actual.role != tensor.role) {
      return refuse(ErrorCode::invalid_argument, tensor.name, word_of(tensor.role),
                    word_of(actual.role));
    }
    return {};
  }

  // The axes that the tensor has; an optional one may be missing, but not of one tensor alone.
  std::vector<Axis> axes_of(const TensorSignature& tensor, const Tensor& actual) const {
    std::vector<Axis> axes;
    for (const Axis& axis : tensor.axes) {
      const auto known = missing_.find(axis.name);
      const bool missing =
          axis.optional &&
          (known != missing_.end() ? known->second : actual.shape.size() < tensor.axes.size());
      if (!missing) axes.push_back(axis);
    }
    return axes;
  }

  std::string expected_shape(const std::vector<Axis>& axes) const {
    std::string text;
    for (const Axis& axis : axes) {
      if (!text.empty()) text += ", ";
      const auto known = extents_.find(axis.name);
      if (axis.name.empty()) {
        text += fmt::format("{}", axis.extent);
      } else {
        text += known == extents_.end() ? std::string(axis.name) : fmt::format("{}", known->second);
      }
    }
    return '[' + text + ']';
  }

  Status shape(const TensorSignature& tensor, const Tensor& actual) {
    const std::vector<Axis> axes = axes_of(tensor, actual);
    bool right = actual.shape.size() == axes.size() && actual.strides.size() == axes.size();
    for (std::size_t i = 0; i < axes.size() && right; ++i) {
      const auto known = extents_.find(axes[i].name);
      const std::int64_t extent = actual.shape[i];
      right = axes[i].name.empty()      ? extent == axes[i].extent
              : known == extents_.end() ? extent >= 0
                                        : extent == known->second;
    }
    if (!right) {
      std::string expected = expected_shape(axes);
      if (axes.size() == tensor.axes.size()) {
        std::vector<Axis> fewer = axes;
        std::erase_if(fewer, [&](const Axis& axis) {
          return axis.optional && !missing_.contains(axis.name);
        });
        if (fewer.size() != axes.size()) expected += " or " + expected_shape(fewer);
      }
      return refuse(ErrorCode::wrong_shape, fmt::format("{}: shape", tensor.name), expected,
                    oracle::to_text(actual.shape));
    }
    for (const Axis& axis : tensor.axes) {
      if (axis.optional) missing_.emplace(axis.name, axes.size() < tensor.axes.size());
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (!axes[i].name.empty()) extents_.emplace(axes[i].name, actual.shape[i]);
    }
    return {};
  }

  Status strides(const TensorSignature& tensor, const Tensor& actual) const {
    const std::vector<Axis> axes = axes_of(tensor, actual);
    std::vector<std::int64_t> expected(axes.size(), 1);
    bool right = true;
    std::int64_t dense = 1;
    for (std::size_t i = axes.size(); i-- > 0;) {
      expected[i] = axes[i].stride.empty() ? dense : -1;  // -1: any
      right = right && (!axes[i].stride.empty() || actual.strides[i] == dense);
      if (__builtin_mul_overflow(dense, actual.shape[i], &dense)) dense = INT64_MAX;
    }
    if (!right) {
      return refuse(ErrorCode::wrong_stride, fmt::format("{}: strides", tensor.name),
                    oracle::to_text(expected), oracle::to_text(actual.strides));
    }
    const auto width = static_cast<std::int64_t>(element_bytes(actual.dtype));
    for (std::size_t i = 0; i < axes.size(); ++i) {
      std::int64_t bytes = 0;
      const bool overflow = __builtin_mul_overflow(actual.strides[i], width, &bytes);
      if (axes[i].stride.empty() || (!overflow && bytes >= axes[i].least_stride_bytes)) continue;
      return refuse(ErrorCode::wrong_stride, fmt::format("{}: {}", tensor.name, axes[i].stride),
                    fmt::format("at least {}", axes[i].least_stride_bytes),
                    overflow ? "more than 64 bits hold" : fmt::format("{}", bytes));
    }
    return {};
  }

  Status whole(const TensorSignature& tensor, const Tensor& actual) const {
    std::int64_t count = 1;
    for (const std::int64_t extent : actual.shape) count *= extent;
    const auto width = static_cast<std::int64_t>(element_bytes(actual.dtype));
    const auto stored = static_cast<std::int64_t>(actual.storage.size());
    if (stored % width != 0 || stored / width != count) {
      return refuse(stored / width < count ? ErrorCode::too_small : ErrorCode::wrong_shape,
                    tensor.name, fmt::format("{} elements of {} bytes of storage", count, width),
                    fmt::format("{} bytes", stored));
    }
    if (actual.origin_bytes != 0) {
      return refuse(ErrorCode::invalid_argument, fmt::format("{}: origin", tensor.name),
                    "the first byte of the storage", fmt::format("byte {}", actual.origin_bytes));
    }
    return {};
  }

  Status scalars() const {
    for (const ScalarSignature& scalar : signature_.scalars) {
      const auto actual = problem_.scalars.find(std::string(scalar.name));
      if (actual == problem_.scalars.end()) {
        return refuse(ErrorCode::invalid_argument, scalar.name, "a scalar of this name", "none");
      }
      const std::int64_t most = scalar.type == ScalarType::i32   ? INT32_MAX
                                : scalar.type == ScalarType::f32 ? std::int64_t{UINT32_MAX}
                                                                 : INT64_MAX;
      if (actual->second < scalar.least || actual->second > most) {
        return refuse(ErrorCode::invalid_argument, scalar.name,
                      fmt::format("{} to {}", scalar.least, most),
                      fmt::format("{}", actual->second));
      }
    }
    for (const auto& [what, expected, actual] :
         {std::tuple{"tensors", signature_.tensors.size(), problem_.tensors.size()},
          {"scalars", signature_.scalars.size(), problem_.scalars.size()}}) {
      if (expected == actual) continue;
      return refuse(ErrorCode::invalid_argument, what, fmt::format("{} of them", expected),
                    fmt::format("{}", actual));
    }
    return {};
  }

  const Signature& signature_;
  const Problem& problem_;
  std::map<std::string_view, std::int64_t> extents_;
  std::map<std::string_view, bool> missing_;  // optional axes: whether the tensors lack them
};

}  // namespace

Status check_signature(const Signature& signature, const Problem& problem) {
  return Check(signature, problem).run();
}

}  // namespace harness
