// Diagnosis of `convert`.
#pragma once

#include "harness/model/diagnosis.hpp"
#include "harness/model/problem.hpp"
#include "oracle/profile.hpp"

namespace harness {

// As Operation::diagnose.
Diagnosis diagnose_convert(const Problem& problem, const oracle::Profile& profile,
                           const Outputs& expected, const Outputs& actual);

}  // namespace harness
