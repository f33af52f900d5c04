// A problem's tensors as the oracle sees them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "oracle/pages/tensor_view.hpp"

namespace harness {

// Error: invalid_argument where the problem has no tensor of that name.
Result<oracle::ConstTensorView> oracle_view(const Problem& problem, std::string_view name);

// The same shape over bytes to be written.
oracle::TensorView oracle_view(const Tensor& tensor, std::span<std::uint8_t> storage);

}  // namespace harness
