// An operation is a contract: named inputs and outputs, what is legal, what must stay untouched,
// and an oracle (docs/design.md section 3). Everything else is keyed by it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/case.hpp"
#include "harness/model/coverage.hpp"
#include "harness/model/diagnosis.hpp"
#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "harness/model/signature.hpp"
#include "oracle/profile.hpp"

namespace harness {

// Bytes of all tensors of all calls that a spec may ask for: more than any case needs, and little
// enough that a small file cannot exhaust the machine that reads it.
inline constexpr std::uint64_t max_case_bytes = std::uint64_t{1} << 34;

class Operation {
 public:
  virtual ~Operation() = default;

  // Tensors, scalars and the C struct of a call, as data.
  virtual const Signature& signature() const = 0;
  virtual std::string_view name() const { return signature().operation; }
  virtual std::string_view summary() const = 0;  // one line, for `list`

  // The cases of `level` and of those below it. Random cases are made from `seed`.
  virtual std::vector<Case> cases(Level level, std::uint64_t seed) const = 0;

  // The calls of one case, in order, made on the same buffers: all have tensors of the same names,
  // dtypes and storage sizes. Most cases are one call; a second call with a changed table sees a
  // kernel that kept the first. Error: a spec that is malformed or outside the contract.
  virtual Result<std::vector<Problem>> build(const nlohmann::json& spec) const = 0;
  // The bytes of all tensors of all calls that `build` makes of a spec. An operation whose small
  // specs can ask for much says it without building. Error: as build, which refuses more than
  // max_case_bytes.
  virtual Result<std::uint64_t> case_bytes(const nlohmann::json& spec) const;

  // A random spec from `seed`, edges favoured, for fuzzing; and smaller specs to try in place of
  // one that fails, the boldest first.
  virtual nlohmann::json random_spec(std::uint64_t seed) const = 0;
  virtual std::vector<nlohmann::json> smaller_specs(const nlohmann::json& spec) const = 0;

  // Checks the whole contract. Error: names argument, expected and actual.
  virtual Status validate(const Problem& problem) const = 0;

  // The exact output bytes, untouched bytes included. Error: the problem breaks the contract.
  virtual Result<Outputs> expected(const Problem& problem,
                                   const oracle::Profile& profile) const = 0;

  // The same bytes by the quickest way that tests prove equal to it, for volume.
  virtual Result<Outputs> expected_quickly(const Problem& problem,
                                           const oracle::Profile& profile) const {
    return expected(problem, profile);
  }

  // Explains wrong bytes: where the first lies, what it was made from, and the fault class that
  // accounts for them. `calls` are the calls of the case up to the judged one, which is the last:
  // a kernel may have kept something of an earlier one. `actual` differs from `expected`.
  virtual Diagnosis diagnose(std::span<const Problem> calls, const oracle::Profile& profile,
                             const Outputs& expected, const Outputs& actual) const = 0;

  // Explains an access to memory that the call may not touch, which ended it: the fault that forms
  // that address. `origins` is the device address of element [0, ..., 0] of every tensor in the
  // problem's order; `address` is none where addresses cannot name it. Begins with the class, as
  // Diagnosis::explanation does; empty where no fault is known to do this.
  virtual std::string explain_access(const Problem& /*problem*/,
                                     std::span<const std::uint64_t> /*origins*/,
                                     std::optional<std::uint64_t> /*address*/) const {
    return {};
  }

  // Bytes that a call must read and write at the least, for a rate beside a copy's: pages that are
  // named count once each time they are gathered. 0: no rate is stated.
  virtual std::uint64_t bytes_moved(const Problem& /*problem*/) const { return 0; }

  // Counts what the problem exercises.
  virtual void cover(const Problem& problem, Coverage& coverage) const = 0;
  // Bins that level `full` must hit; with `cover` it makes coverage part of the verdict.
  virtual std::vector<std::string> required_bins() const = 0;
};

// The bins that an operation requires and that were not hit.
std::vector<std::string> bins_not_hit(const Operation& operation, const Coverage& coverage);

// All operations of the suite, in the order of docs/design.md section 3.
std::span<const Operation* const> all_operations();
// Null where there is none of that name: among all, and among these.
const Operation* operation_named(std::string_view name);
const Operation* operation_named(std::span<const Operation* const> operations,
                                 std::string_view name);

}  // namespace harness
