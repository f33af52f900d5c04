// Who must keep the laws: the exact oracle, the fast oracle, and every kernel in the box on every
// device of this machine.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"

namespace properties {

struct Subject {
  std::string name;  // "exact oracle", "fp32 on cuda:0"
  std::function<harness::Result<harness::Outputs>(const harness::Problem& problem)> run;
};

// Kernels run in workers of the fp4cts binary that FP4CTS_BINARY names, or that was built with
// these tests; FP4CTS_SOURCE=faulty takes those that are wrong on purpose, for which laws must
// fail. What is not available on a device is left out; a device that cannot be opened is a subject
// that fails.
const std::vector<Subject>& subjects_of(std::string_view operation);

}  // namespace properties
