// The problems that a page spec stands for.
#pragma once

#include <vector>

#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "harness/suite/operations/page_spec.hpp"

namespace harness {

// One problem for each call, in order, on the same pool and with tensors of the same sizes.
Result<std::vector<Problem>> page_problems(const PageOperation& operation, const PageSpec& spec);

}  // namespace harness
