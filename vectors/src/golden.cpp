#include "vectors/src/golden.hpp"

#include <fmt/format.h>

#include "harness/model/operation.hpp"
#include "vectors/src/element_diagnosis.hpp"
#include "vectors/src/element_table.hpp"

namespace harness {

Result<const oracle::Profile*> shipped_profile(std::string_view name) {
  std::string known;
  for (const oracle::Profile* profile : oracle::profiles::shipped()) {
    if (profile->name == name) return profile;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", profile->name);
  }
  return oracle::fail(ErrorCode::unknown_name,
                      fmt::format("profile: expected one of {}; got \"{}\"", known, name));
}

Result<Outputs> golden_outputs(const Problem& problem, const oracle::Profile& profile) {
  if (const ElementTable* table = element_table_of(problem.operation)) {
    return expected_of(*table, problem, profile);
  }
  if (const Operation* operation = operation_named(problem.operation)) {
    return operation->expected(problem, profile);
  }
  return oracle::fail(
      ErrorCode::unknown_name,
      fmt::format("operation: this suite has none called \"{}\"", problem.operation));
}

Diagnosis diagnose_outputs(std::span<const Problem> calls, const oracle::Profile& profile,
                           const Outputs& expected, const Outputs& actual) {
  const Problem& judged = calls.back();
  if (const ElementTable* table = element_table_of(judged.operation)) {
    return diagnose_elements(*table, judged, profile, expected, actual);
  }
  return operation_named(judged.operation)->diagnose(calls, profile, expected, actual);
}

}  // namespace harness
