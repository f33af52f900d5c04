// Gathers of the user's own in a bench: judged as a run judges them, then called again and again in
// the process that they live in. Their times are those that they are judged with: of the call
// alone, by the device's clock.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/model/implementation.hpp"
#include "harness/model/operation.hpp"
#include "harness/model/result.hpp"
#include "harness/results/records/results.hpp"

namespace harness::cli {

// What the selection names, on one device. Error: it cannot be opened there, and why.
Result<std::vector<std::unique_ptr<Implementation>>> open_own_kernels(const Selection& selection,
                                                                      const std::string& device);

// What came of one: times only where every byte is right.
struct OwnTimes {
  std::vector<double> seconds;  // of each round
  Verdict verdict = Verdict::pass;
  std::string reason;  // why there are none
};
OwnTimes time_own_kernel(const Operation& operation, const Case& from, Implementation& own,
                         int rounds);

}  // namespace harness::cli
