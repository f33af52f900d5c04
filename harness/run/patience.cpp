#include "harness/run/patience.hpp"

#include <fmt/format.h>

namespace harness {
namespace {

constexpr unsigned patience_cases = 3;  // that end in slow errors, running

}  // namespace

void Patience::note(const CaseRecord& record, double seconds) {
  const bool slow = record.verdict == Verdict::error && seconds >= slow_error_seconds_;
  slow_errors_ = slow ? slow_errors_ + 1 : 0;
}

std::string Patience::given_up() const {
  if (slow_errors_ < patience_cases) return {};
  return fmt::format("given up: {} cases running ended in an error after {:g} s or more",
                     patience_cases, slow_error_seconds_);
}

}  // namespace harness
