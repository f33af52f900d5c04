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
  std::map<std::string, PreparedCase> by_profile;
};

// Error: unknown_name for a profile; the case breaks its contract.
Result<AnsweredCase> answer_case(const Operation& operation, Case from,
                                 const std::set<std::string>& profiles);

// An operation, and the profiles by which its implementations are judged.
struct StreamedOperation {
  const Operation* operation = nullptr;
  std::set<std::string> profiles;
};

class CaseStream {
 public:
  // Of several operations the cases come in turn. `threads` cases are built at the same time.
  CaseStream(std::vector<StreamedOperation> operations, std::uint64_t seed, unsigned threads);
  Result<AnsweredCase> next();

 private:
  void begin_one();

  std::vector<StreamedOperation> operations_;
  std::uint64_t seed_;
  std::uint64_t begun_ = 0;
  std::deque<std::future<Result<AnsweredCase>>> ahead_;
};

}  // namespace harness
