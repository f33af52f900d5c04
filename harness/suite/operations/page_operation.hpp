// Operation, for every member of the page family: specs, problems, contract, cases, coverage and
// diagnosis all follow from the data of PageOperation.
#pragma once

#include "harness/model/operation.hpp"
#include "harness/suite/operations/held_bytes.hpp"
#include "harness/suite/operations/page_format.hpp"

namespace harness {

class PageOperationBase final : public Operation, public HasZeros {
 public:
  explicit PageOperationBase(PageOperation operation) : operation_(std::move(operation)) {}

  const Signature& signature() const override { return operation_.signature; }
  std::string_view name() const override { return operation_.name(); }
  std::string_view summary() const override { return operation_.summary; }
  std::vector<Case> cases(Level level, std::uint64_t seed) const override;
  Result<std::vector<Problem>> build(const nlohmann::json& spec) const override;
  Result<std::uint64_t> case_bytes(const nlohmann::json& spec) const override;
  nlohmann::json random_spec(std::uint64_t seed) const override;
  std::vector<nlohmann::json> smaller_specs(const nlohmann::json& spec) const override;
  Status validate(const Problem& problem) const override;
  Result<Outputs> expected(const Problem& problem, const oracle::Profile& profile) const override;
  Result<Outputs> expected_quickly(const Problem& problem,
                                   const oracle::Profile& profile) const override;
  Diagnosis diagnose(std::span<const Problem> calls, const oracle::Profile& profile,
                     const Outputs& expected, const Outputs& actual) const override;
  std::string explain_access(const Problem& problem, std::span<const std::uint64_t> origins,
                             std::optional<std::uint64_t> address) const override;
  std::uint64_t bytes_moved(const Problem& problem) const override;
  void cover(const Problem& problem, Coverage& coverage) const override;
  std::vector<std::string> required_bins() const override;

  // Of the bytes of a case, zeros that nothing is made from (page_spec.hpp).
  std::uint64_t untouched(const nlohmann::json& spec) const override;

 private:
  PageOperation operation_;
};

}  // namespace harness
