// The random cases of a fuzzing run, in order, built and answered by the oracle ahead of their use.
#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/model/case.hpp"
#include "harness/model/operation.hpp"
#include "harness/model/result.hpp"
#include "harness/run/judge.hpp"

namespace harness {

// A case as each profile has it.
struct AnsweredCase {
  const Operation* operation = nullptr;
  Case from;
  std::uint64_t number = 0;  // of a random one, among those of its operation
  bool quickly = false;      // its bytes are expected by the quickest oracle alone
  std::map<std::string, PreparedCase> by_profile;
};

// Error: unknown_name for a profile; the case breaks its contract.
Result<AnsweredCase> answer_case(const Operation& operation, Case from,
                                 const std::set<std::string>& profiles);
// The same with Operation::expected_quickly.
Result<AnsweredCase> answer_case_quickly(const Operation& operation, Case from,
                                         const std::set<std::string>& profiles);

// An operation, and the profiles by which its implementations are judged.
struct StreamedOperation {
  const Operation* operation = nullptr;
  std::set<std::string> profiles;
};

// How a stream is made.
struct CaseStreamOptions {
  std::uint64_t seed = 0;
  unsigned threads = 1;              // that build cases
  std::uint64_t max_case_bytes = 0;  // of the tensors of a case's calls; larger cases are left out
                                     // and their numbers with them; 0: none is
};

class CaseStream {
 public:
  // Of several operations the cases come in turn. One case of sixty-four is answered by all oracles
  // of its operation, the others quickly. `next` gives an error where no random case is small
  // enough.
  CaseStream(std::vector<StreamedOperation> operations, const CaseStreamOptions& options);
  Result<AnsweredCase> next();

 private:
  struct Next {
    const StreamedOperation* operation = nullptr;
    Case from;
    std::uint64_t number = 0;
  };

  void begin_some();
  Result<Next> next_case();
  static Result<AnsweredCase> answer(const Result<Next>& next);

  std::vector<StreamedOperation> operations_;
  CaseStreamOptions options_;
  std::size_t turn_ = 0;                // of `operations_`
  std::vector<std::uint64_t> numbers_;  // the next of each operation
  std::deque<std::future<std::deque<Result<AnsweredCase>>>> ahead_;
  std::deque<Result<AnsweredCase>> ready_;
};

}  // namespace harness
