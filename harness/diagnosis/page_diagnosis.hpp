// Explains wrong bytes of page operations.
#pragma once

#include <span>

#include "harness/model/diagnosis.hpp"
#include "harness/model/problem.hpp"
#include "harness/suite/operations/page_format.hpp"
#include "oracle/profile.hpp"

namespace harness {

// `calls` are the calls of the case up to the judged one, which is the last.
Diagnosis diagnose_pages(const PageOperation& operation, std::span<const Problem> calls,
                         const oracle::Profile& profile, const Outputs& expected,
                         const Outputs& actual);

}  // namespace harness
