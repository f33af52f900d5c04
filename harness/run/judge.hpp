// One case on one implementation: run, compare, verdict.
//
// A case runs twice. The second run inverts every byte of the output fills, so that a byte which
// must be written and never is, is wrong in at least one of the two, whatever it should hold; and a
// byte that must stay untouched is seen to stay as it was, whatever was written there. Bytes that
// are written must be the same both times, because both times they must be the expected ones.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/model/case.hpp"
#include "harness/model/coverage.hpp"
#include "harness/model/implementation.hpp"
#include "harness/model/operation.hpp"
#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "harness/results/records/results.hpp"
#include "harness/run/crew.hpp"
#include "oracle/profile.hpp"

namespace harness {

// The calls of a case with the bytes expected of each, for the fills of either run.
class PreparedCase {
 public:
  // Builds the case and asks the oracle, for both fills.
  // Error: the case breaks the contract, or what the oracle expects where something is written
  // depends on the fill.
  static Result<PreparedCase> make(const Operation& operation, const Case& from,
                                   const oracle::Profile& profile);
  // The same with Operation::expected_quickly.
  static Result<PreparedCase> make_quickly(const Operation& operation, const Case& from,
                                           const oracle::Profile& profile);

  std::span<const Problem> calls() const { return calls_; }
  const Outputs& expected(std::size_t call) const { return expected_[call]; }
  const Coverage& coverage() const { return coverage_; }
  std::uint64_t bytes_moved(std::size_t call) const { return bytes_moved_[call]; }

  // Whether the byte must stay as it was.
  bool untouched(std::size_t call, std::size_t output, std::uint64_t byte) const;

  // To the other run's fills, and back.
  void invert_fills();

 private:
  using Range = std::pair<std::uint64_t, std::uint64_t>;  // [first, last)
  using Expected = Result<Outputs> (Operation::*)(const Problem&, const oracle::Profile&) const;
  static Result<PreparedCase> make_by(Expected expected, const Operation& operation,
                                      const Case& from, const oracle::Profile& profile);

  std::vector<Problem> calls_;
  std::vector<Outputs> expected_;                           // by call
  std::vector<std::vector<std::vector<Range>>> untouched_;  // by call, output; in order
  std::vector<std::uint64_t> bytes_moved_;                  // by call
  Coverage coverage_;
};

// Runs the case twice and compares every output byte of every call. Of the record it sets the
// verdict and what supports it; whose it is, is the caller's to say. `prepared` is as it was
// afterwards.
CaseRecord judge(const Operation& operation, const oracle::Profile& profile, PreparedCase& prepared,
                 Implementation& implementation);

// One of several implementations that are judged side by side, on devices of their own.
struct Contender {
  std::string device;
  const oracle::Profile* profile = nullptr;
  PreparedCase* prepared = nullptr;  // of the same case; it may be that of others too
  Implementation* implementation = nullptr;
};
struct Judged {
  CaseRecord record;
  double seconds = 0;  // that its two runs took, without waiting for others
};

// Judges all of them at once, each by the thread of its device: all first runs, then all second
// runs. One for whose judging memory ran out has the verdict not_run. In the order of `contenders`.
std::vector<Judged> judge_side_by_side(const Operation& operation,
                                       std::span<const Contender> contenders, Crew& crew);

}  // namespace harness
