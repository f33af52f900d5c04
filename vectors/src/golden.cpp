#include "vectors/src/golden.hpp"

#include <fmt/format.h>

#include "harness/files/strict_json.hpp"
#include "harness/model/operation.hpp"
#include "vectors/src/element_diagnosis.hpp"
#include "vectors/src/element_table.hpp"

namespace harness {

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

Result<Problem> asked_problem(const AskedProblem& asked) {
  if (const ElementTable* table = element_table_of(asked.operation)) return problem_of(*table);
  const Operation* const operation = operation_named(asked.operation);
  if (operation == nullptr) {
    return oracle::fail(
        ErrorCode::unknown_name,
        fmt::format("operation: this suite has none called \"{}\"", asked.operation));
  }
  const Result<nlohmann::json> spec = parse_json(asked.spec, "spec");
  if (!spec) return tl::make_unexpected(spec.error());
  Result<std::vector<Problem>> calls = operation->build(*spec);
  if (!calls) return tl::make_unexpected(calls.error());
  if (asked.call >= calls->size()) {
    return oracle::fail(ErrorCode::out_of_range, fmt::format("call: expected less than {}, got {}",
                                                             calls->size(), asked.call));
  }
  return std::move((*calls)[asked.call]);
}

Result<Outputs> golden_outputs(const AskedProblem& asked, const oracle::Profile& profile) {
  const Result<Problem> problem = asked_problem(asked);
  if (!problem) return tl::make_unexpected(problem.error());
  return golden_outputs(*problem, profile);
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
