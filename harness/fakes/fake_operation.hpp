// An operation small enough to see through, for the tests of runner and command line: every byte of
// `in` goes to `out` doubled, the rest of `out` stays untouched.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/model/operation.hpp"

namespace harness::fakes {

class FakeOperation : public Operation {
 public:
  explicit FakeOperation(std::string name = "doubling") : name_(std::move(name)) {}

  const Signature& signature() const override;
  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return "doubles bytes"; }

  // Spec: {"bytes": written, "tail": left alone, "calls": n}. Smaller ones have half the bytes, or
  // one byte less.
  std::vector<Case> cases(Level level, std::uint64_t seed) const override;
  Result<std::vector<Problem>> build(const nlohmann::json& spec) const override;
  nlohmann::json random_spec(std::uint64_t seed) const override;
  std::vector<nlohmann::json> smaller_specs(const nlohmann::json& spec) const override;
  Status validate(const Problem& problem) const override;
  Result<Outputs> expected(const Problem& problem, const oracle::Profile& profile) const override;
  Diagnosis diagnose(std::span<const Problem> calls, const oracle::Profile& profile,
                     const Outputs& expected, const Outputs& actual) const override;
  std::uint64_t bytes_moved(const Problem& problem) const override;
  void cover(const Problem& problem, Coverage& coverage) const override;
  std::vector<std::string> required_bins() const override { return required_bins_; }

  void require_bins(std::vector<std::string> bins) { required_bins_ = std::move(bins); }

 private:
  std::string name_;
  std::vector<std::string> required_bins_{"calls/1", "calls/3"};
};

}  // namespace harness::fakes
