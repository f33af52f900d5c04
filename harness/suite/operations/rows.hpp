// Signatures of operations element by element: plain rows of one length.
#pragma once

#include "harness/model/signature.hpp"

namespace harness {

// [count], contiguous, and the whole of its storage.
inline TensorSignature row(std::string_view name, Role role, std::vector<DType> dtypes) {
  TensorSignature tensor;
  tensor.name = name;
  tensor.role = role;
  tensor.dtypes = std::move(dtypes);
  tensor.axes = {{.name = "count"}};
  tensor.whole = true;
  return tensor;
}

}  // namespace harness
