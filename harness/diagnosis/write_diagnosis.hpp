// Explains wrong bytes of pages that a writer filled: the rule or axis that the bytes do follow,
// the place that they were written to, or what was left.
#pragma once

#include <string>
#include <vector>

#include "harness/model/diagnosis.hpp"
#include "harness/model/operation.hpp"
#include "harness/suite/operations/write_spec.hpp"

namespace harness {

Diagnosis diagnose_write(const Operation& operation, const WriteForm& form, const Problem& problem,
                         const oracle::Profile& profile, const Outputs& expected,
                         const Outputs& actual);

// A rule that differs from a declared one in one axis.
struct OtherRule {
  std::string_view fault_class;  // of a kernel that was to follow the declared one
  std::string axis;              // "ties toward_zero"
  oracle::Profile profile;
};

// The declared profile with one axis of its writer changed, every axis and word, the likeliest
// faults first.
std::vector<OtherRule> other_rules(const WriteForm& form, const oracle::Profile& declared);

}  // namespace harness
