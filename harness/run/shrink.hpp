// Makes a failing case small: one request, one page, one token, one group, one code, with plain
// surroundings wherever the failure does not need others.
#pragma once

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "harness/model/implementation.hpp"
#include "harness/model/operation.hpp"
#include "harness/results/records/results.hpp"
#include "oracle/profile.hpp"

namespace harness {

struct ShrinkBudget {
  double seconds = 20;  // after which no further spec is tried
  const std::atomic<bool>* interrupted = nullptr;
};

struct Shrunk {
  nlohmann::json spec;      // fails as the first one did: wrong bytes, or an error
  CaseRecord record;        // what judging it says
  std::uint64_t tried = 0;  // specs that were run
  bool smallest = false;    // every smaller spec passes; else the budget ended first
};

// Replaces `from` by the first of its smaller specs with the same verdict, until there is none. The
// class of fault may change on the way: a smaller case shows what is wrong more plainly.
// Precondition: `record` is what judge() said of `from`, and no pass.
Shrunk shrink(const Operation& operation, const oracle::Profile& profile,
              Implementation& implementation, const Case& from, CaseRecord record,
              const ShrinkBudget& budget);

}  // namespace harness
