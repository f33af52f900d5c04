// Explains wrong bytes of `encode_e4m3`.
#pragma once

#include "harness/model/diagnosis.hpp"
#include "harness/model/problem.hpp"
#include "oracle/profile.hpp"

namespace harness {

Diagnosis diagnose_encode(const Problem& problem, const oracle::Profile& profile,
                          const Outputs& expected, const Outputs& actual);

}  // namespace harness
