// An implementation of the fake operation that is wrong for large problems alone: it has a smallest
// failing one, for shrinking to find.
#pragma once

#include <algorithm>
#include <climits>

#include "harness/model/implementation.hpp"

namespace harness::fakes {

class WrongFrom final : public Implementation {
 public:
  // Its last byte is wrong where there are at least `bytes`.
  explicit WrongFrom(int bytes) : wrong_from_(bytes) {
    info_.operation = "doubling";
    info_.path = "wrong_from";
    info_.device = "cpu";
  }
  // It fails with an error where there are fewer, or at least as many.
  void break_below(int bytes) { break_below_ = bytes; }
  void break_from(int bytes) { break_from_ = bytes; }

  Result<Execution> execute(const Problem& problem) override {
    const std::vector<std::uint8_t>& in = problem.find("in")->storage;
    const auto bytes = static_cast<int>(in.size());
    if (bytes < break_below_ || bytes >= break_from_) {
      return oracle::fail(ErrorCode::device_error, "broken");
    }
    Execution execution;
    execution.outputs = {problem.find("out")->storage};
    std::transform(in.begin(), in.end(), execution.outputs[0].begin(),
                   [](std::uint8_t byte) { return static_cast<std::uint8_t>(2 * byte); });
    if (bytes >= wrong_from_) execution.outputs[0][in.size() - 1] ^= 1;
    ++calls;
    return execution;
  }

  unsigned calls = 0;

 private:
  int wrong_from_;
  int break_below_ = 0;
  int break_from_ = INT_MAX;
};

}  // namespace harness::fakes
