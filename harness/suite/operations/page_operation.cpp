#include "harness/suite/operations/page_operation.hpp"

#include "harness/diagnosis/page_access.hpp"
#include "harness/diagnosis/page_diagnosis.hpp"
#include "harness/suite/operations/lattice.hpp"
#include "harness/suite/operations/page_cases.hpp"
#include "harness/suite/operations/page_contract.hpp"
#include "harness/suite/operations/page_coverage.hpp"
#include "harness/suite/operations/page_extents.hpp"
#include "harness/suite/operations/page_problem.hpp"
#include "harness/suite/operations/page_spec.hpp"

namespace harness {

std::vector<Case> PageOperationBase::cases(Level level, std::uint64_t seed) const {
  return page_cases(operation_, level, seed);
}

std::uint64_t PageOperationBase::untouched(const nlohmann::json& spec) const {
  const Result<PageSpec> read = page_spec_from_json(operation_, spec);
  return read ? untouched_bytes(operation_, *read) : 0;
}

Result<std::vector<Problem>> PageOperationBase::build(const nlohmann::json& spec) const {
  return page_spec_from_json(operation_, spec).and_then([&](const PageSpec& read) {
    return page_problems(operation_, read);
  });
}

Result<std::uint64_t> PageOperationBase::case_bytes(const nlohmann::json& spec) const {
  return page_spec_from_json(operation_, spec).map([&](const PageSpec& read) {
    return read.calls.size() * problem_bytes(operation_, read);
  });
}

nlohmann::json PageOperationBase::random_spec(std::uint64_t seed) const {
  Random random(mix64(seed, 0x657874));  // its own, so that the calls of cases stay as they are
  const std::span<const LatticeAxis> axes = lattice_of(name());
  if (!axes.empty() && random.one_in(16)) {
    const LatticeAxis& axis = random.pick(axes);
    const nlohmann::json large =
        page_extent_spec(operation_, axis.measure, random_extent(axis, random));
    if (!large.is_null() && page_spec_from_json(operation_, large)) return large;
  }
  nlohmann::json spec = random_page_spec(operation_, seed);
  if (random.one_in(8) && spec["pool"].contains("first_id")) {
    nlohmann::json unstored = spec;
    unstored["table"]["beyond"] = "unstored";
    if (page_spec_from_json(operation_, unstored)) return unstored;
  }
  return spec;
}

std::vector<nlohmann::json> PageOperationBase::smaller_specs(const nlohmann::json& spec) const {
  return smaller_page_specs(operation_, spec);
}

Status PageOperationBase::validate(const Problem& problem) const {
  return plan_pages(operation_, problem, oracle::profiles::ocp()).map([](const PagePlan&) {});
}

Result<Outputs> PageOperationBase::expected(const Problem& problem,
                                            const oracle::Profile& profile) const {
  return expected_pages(operation_, problem, profile, PageOracles::both);
}

Result<Outputs> PageOperationBase::expected_quickly(const Problem& problem,
                                                    const oracle::Profile& profile) const {
  return expected_pages(operation_, problem, profile, PageOracles::fast);
}

Diagnosis PageOperationBase::diagnose(std::span<const Problem> calls,
                                      const oracle::Profile& profile, const Outputs& expected,
                                      const Outputs& actual) const {
  return diagnose_pages(operation_, calls, profile, expected, actual);
}

std::string PageOperationBase::explain_access(const Problem& problem,
                                              std::span<const std::uint64_t> origins,
                                              std::optional<std::uint64_t> address) const {
  return explain_page_access(operation_, problem, origins, address);
}

std::uint64_t PageOperationBase::bytes_moved(const Problem& problem) const {
  const auto plan = plan_pages(operation_, problem, oracle::profiles::ocp());
  if (!plan) return 0;
  const std::int64_t page =
      plan->layout().page_bytes() + oracle::decoded_page_bytes(plan->layout(), plan->destination);
  return plan->moves.size() * static_cast<std::uint64_t>(page);
}

void PageOperationBase::cover(const Problem& problem, Coverage& coverage) const {
  cover_pages(operation_, problem, coverage);
}

std::vector<std::string> PageOperationBase::required_bins() const {
  return required_page_bins(operation_);
}

}  // namespace harness
