// The contract of tensors that are plain rows of one length, for operations element by element.
#pragma once

#include <initializer_list>
#include <string_view>

#include "harness/model/dtype.hpp"
#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"

namespace harness {

struct Row {
  std::string_view name;
  DType dtype;
  Role role;
};

// Each row is [count], contiguous, and the whole of its storage; `count` is that of the first.
// Error: names the operation, the row, expected and actual.
Status check_rows(const Problem& problem, std::initializer_list<Row> rows);

}  // namespace harness
