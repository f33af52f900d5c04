// How long an implementation is borne with that keeps ending in slow errors: a hang costs the time
// limit of a call each time.
#pragma once

#include <string>

#include "harness/results/records/results.hpp"

namespace harness {

class Patience {
 public:
  // An error that took at least `slow_error_seconds` is a slow one.
  explicit Patience(double slow_error_seconds) : slow_error_seconds_(slow_error_seconds) {}

  // What judging one case gave, and how long it took.
  void note(const CaseRecord& record, double seconds);
  // Why no further case is given to it; empty where one is.
  std::string given_up() const;

 private:
  double slow_error_seconds_;
  unsigned slow_errors_ = 0;  // running
};

}  // namespace harness
