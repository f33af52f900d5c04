#include "harness/model/signature.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fp4cts/abi.h"

namespace harness {
namespace {

constexpr std::string_view dtype_suffix = "_dtype";

// The axis of the problem's tensor that axis `index` of the signature is; none where it is missing.
std::optional<std::size_t> axis_in(const TensorSignature& tensor, const Tensor& actual,
                                   std::size_t index) {
  if (has_optional_axis(tensor, actual.shape.size())) return index;
  if (tensor.axes[index].optional) return std::nullopt;
  const bool behind =
      std::any_of(tensor.axes.begin(), tensor.axes.begin() + static_cast<std::ptrdiff_t>(index),
                  [](const Axis& axis) { return axis.optional; });
  return behind ? index - 1 : index;
}

std::int64_t stride_of(const Axis& axis, const Tensor& actual, std::size_t at) {
  const bool in_bytes = axis.stride.ends_with("_bytes");
  return actual.strides[at] *
         (in_bytes ? static_cast<std::int64_t>(element_bytes(actual.dtype)) : 1);
}

}  // namespace

const TensorSignature* Signature::find(std::string_view tensor) const {
  const auto it = std::find_if(tensors.begin(), tensors.end(),
                               [&](const TensorSignature& each) { return each.name == tensor; });
  return it == tensors.end() ? nullptr : &*it;
}

bool has_optional_axis(const TensorSignature& tensor, std::size_t rank) {
  return rank == tensor.axes.size();
}

std::optional<std::int64_t> named_integer(const Signature& signature, const Problem& problem,
                                          std::string_view name) {
  if (const auto scalar = problem.scalars.find(std::string(name));
      scalar != problem.scalars.end()) {
    return scalar->second;
  }
  for (const TensorSignature& tensor : signature.tensors) {
    const Tensor* const actual = problem.find(tensor.name);
    if (actual == nullptr) continue;
    if (name.ends_with(dtype_suffix) &&
        name.substr(0, name.size() - dtype_suffix.size()) == tensor.name) {
      return abi_dtype(actual->dtype);
    }
    for (std::size_t i = 0; i < tensor.axes.size(); ++i) {
      const Axis& axis = tensor.axes[i];
      if (axis.name != name && axis.stride != name) continue;
      const std::optional<std::size_t> at = axis_in(tensor, *actual, i);
      if (at && *at >= actual->shape.size()) return std::nullopt;
      if (axis.name == name) return at ? actual->shape[*at] : 1;
      return at ? stride_of(axis, *actual, *at) : 0;
    }
  }
  return std::nullopt;
}

std::vector<std::string_view> integer_names(const Signature& signature) {
  std::vector<std::string_view> names;
  const auto add = [&](std::string_view name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  };
  for (const TensorSignature& tensor : signature.tensors) {
    for (const Axis& axis : tensor.axes) {
      add(axis.name);
      add(axis.stride);
    }
  }
  for (const ScalarSignature& scalar : signature.scalars) add(scalar.name);
  for (const StructMember& each : signature.members) {
    if (each.name.ends_with(dtype_suffix)) add(each.name);
  }
  return names;
}

bool is_rows(const Signature& signature) {
  const std::vector<TensorSignature>& tensors = signature.tensors;
  if (tensors.size() < 2 || !signature.scalars.empty()) return false;
  return std::all_of(tensors.begin(), tensors.end(), [&](const TensorSignature& tensor) {
    return tensor.axes.size() == 1 && tensor.axes == tensors.back().axes && tensor.whole &&
           tensor.dtypes.size() == 1 && element_bytes(tensor.dtypes.front()) <= 4 &&
           (tensor.role == Role::output) == (&tensor == &tensors.back());
  });
}

std::vector<std::string> signature_rows(const Signature& signature) {
  std::vector<std::string> rows;
  for (const TensorSignature& tensor : signature.tensors) {
    std::vector<std::string> shape;
    std::vector<std::string> strides;
    for (const Axis& axis : tensor.axes) {
      const std::string extent =
          axis.name.empty() ? fmt::format("{}", axis.extent) : std::string(axis.name);
      shape.push_back(axis.optional ? extent + '?' : extent);
      if (!axis.stride.empty()) strides.push_back(fmt::format("`{}`", axis.stride));
    }
    std::vector<std::string_view> dtypes;
    for (const DType dtype : tensor.dtypes) dtypes.push_back(name_of(dtype));
    rows.push_back(fmt::format(
        "| `{}` | `{}` | {} | {} | [{}] | {} | {} |", signature.operation, tensor.name,
        tensor.role == Role::input ? "in" : "out", fmt::join(dtypes, " "), fmt::join(shape, ", "),
        strides.empty() ? "dense" : fmt::to_string(fmt::join(strides, " ")),
        tensor.alignment_bytes == 0 ? std::string("element")
                                    : fmt::format("{}", tensor.alignment_bytes)));
  }
  for (const ScalarSignature& scalar : signature.scalars) {
    const std::string_view type = scalar.type == ScalarType::i32   ? "I32"
                                  : scalar.type == ScalarType::i64 ? "I64"
                                                                   : "F32";
    rows.push_back(fmt::format("| `{}` | `{}` | in | {} | at least {} | | |", signature.operation,
                               scalar.name, type, scalar.least));
  }
  return rows;
}

std::optional<std::int32_t> abi_dtype(DType dtype) {
  switch (dtype) {
    case DType::e4m3:
      return FP4CTS_E4M3;
    case DType::f32:
      return FP4CTS_F32;
    case DType::bf16:
      return FP4CTS_BF16;
    case DType::f16:
      return FP4CTS_F16;
    case DType::e5m2:
      return FP4CTS_E5M2;
    case DType::e2m1:
      return FP4CTS_E2M1;
    case DType::e8m0:
      return FP4CTS_E8M0;
    case DType::u8:
    case DType::u16:
    case DType::u32:
    case DType::i32:
    case DType::i64:
      break;
  }
  return std::nullopt;
}

}  // namespace harness
