// What was asked for by name and ran nowhere. Each operation, path, device, implementation under
// test and filter that a selection names must have a planned case; "all" names every device that
// was opened for it, and every GPU that the machine shows. With planned = executed that is: it ran.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/results/records/results.hpp"

namespace harness {

struct Request {
  enum class Kind { operation, path, device, origin, filter };
  Kind kind = Kind::operation;
  std::string name;
  std::string sentence;  // "path cvt was asked for, and ran nowhere: qmul4 on cpu: has no ..."
};

// `header.implementations` are those that have a planned case; `idle_filters` are Plan's. What
// `not_run` says of a request goes into its sentence.
std::vector<Request> unmet_requests(const RunHeader& header,
                                    std::span<const std::string> idle_filters,
                                    std::span<const NotRunRecord> not_run);

}  // namespace harness
