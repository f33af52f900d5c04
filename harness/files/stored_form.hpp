// The dtype and shape under which a problem's tensor is stored in a file.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/model/problem.hpp"

namespace harness {

struct StoredForm {
  DType dtype = DType::u8;
  std::vector<std::int64_t> shape;
};

// The tensor's own shape where `bytes` is exactly the view, row-major; else flat, `[elements]`, or
// bytes where they are no whole number of elements.
StoredForm stored_form(const Tensor& tensor, std::size_t bytes);

}  // namespace harness
