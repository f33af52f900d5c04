// Operation, for every writer: rows quantized into the slots of pages (docs/design.md section 3.4).
// All of it follows from a WriteForm; the rule is the profile's.
#pragma once

#include "harness/model/operation.hpp"
#include "harness/suite/operations/held_bytes.hpp"
#include "harness/suite/operations/write_spec.hpp"
#include "oracle/blocks/quantize.hpp"

namespace harness {

class WriteOperation final : public Operation, public HasZeros {
 public:
  WriteOperation(const WriteForm& form, Signature signature)
      : form_(form), signature_(std::move(signature)) {}

  const Signature& signature() const override { return signature_; }
  std::string_view summary() const override { return form_.summary; }
  std::vector<Case> cases(Level level, std::uint64_t seed) const override;
  Result<std::vector<Problem>> build(const nlohmann::json& spec) const override;
  Result<std::uint64_t> case_bytes(const nlohmann::json& spec) const override;
  nlohmann::json random_spec(std::uint64_t seed) const override;
  std::vector<nlohmann::json> smaller_specs(const nlohmann::json& spec) const override;
  Status validate(const Problem& problem) const override;
  Result<Outputs> expected(const Problem& problem, const oracle::Profile& profile) const override;
  Diagnosis diagnose(std::span<const Problem> calls, const oracle::Profile& profile,
                     const Outputs& expected, const Outputs& actual) const override;
  std::uint64_t bytes_moved(const Problem& problem) const override;
  void cover(const Problem& problem, Coverage& coverage) const override;
  std::vector<std::string> required_bins() const override;

  // Of the bytes of a case, zeros that nothing is made from (write_spec.hpp).
  std::uint64_t untouched(const nlohmann::json& spec) const override;

 private:
  const WriteForm& form_;
  Signature signature_;
};

// The writes of a problem, in the order row, head. Error: the problem breaks the contract.
Result<oracle::WritePlan> plan_write(const WriteForm& form, const Problem& problem,
                                     const oracle::Profile& profile);

// The row of one head of a move, as f32 bits.
std::vector<std::uint32_t> row_of(const Problem& problem, const oracle::WritePlan& plan,
                                  const oracle::RowMove& move);

}  // namespace harness
