// Explains wrong bytes of operations on packed lanes.
#pragma once

#include "harness/model/diagnosis.hpp"
#include "harness/model/problem.hpp"
#include "oracle/profile.hpp"

namespace harness {

Diagnosis diagnose_lanes(const Problem& problem, const oracle::Profile& profile,
                         const Outputs& expected, const Outputs& actual);

}  // namespace harness
