#include "harness/run/case_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "harness/run/fuzz.hpp"
#include "harness/run/run.hpp"
#include "harness/suite/profiles/profiles.hpp"

namespace harness {

Case random_case(const Operation& operation, std::uint64_t seed, std::uint64_t number) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;  // so that seeds nearby share no numbers
  Case made;
  made.operation = operation.name();
  made.id = fmt::format("{}/fuzz_{}_{}", operation.name(), seed, number);
  made.comment = "random";
  made.spec = operation.random_spec(seed * odd + number);
  return made;
}

namespace {

using Make = Result<PreparedCase>(const Operation&, const Case&, const oracle::Profile&);

Result<AnsweredCase> answer_by(Make make, const Operation& operation, Case from,
                               const std::set<std::string>& profiles) {
  AnsweredCase answered{&operation, std::move(from), 0, make == PreparedCase::make_quickly, {}};
  for (const std::string& name : profiles) {
    const Result<const oracle::Profile*> profile = profile_named(name);
    if (!profile) return tl::make_unexpected(profile.error());
    Result<PreparedCase> prepared = make(operation, answered.from, **profile);
    if (!prepared) {
      return oracle::fail(
          prepared.error().code,
          fmt::format("{}, spec {}", prepared.error().message, answered.from.spec.dump()));
    }
    answered.by_profile.emplace(name, std::move(*prepared));
  }
  return answered;
}

}  // namespace

Result<AnsweredCase> answer_case(const Operation& operation, Case from,
                                 const std::set<std::string>& profiles) {
  return answer_by(PreparedCase::make, operation, std::move(from), profiles);
}

Result<AnsweredCase> answer_case_quickly(const Operation& operation, Case from,
                                         const std::set<std::string>& profiles) {
  return answer_by(PreparedCase::make_quickly, operation, std::move(from), profiles);
}

CaseStream::CaseStream(std::vector<StreamedOperation> operations, const CaseStreamOptions& options)
    : operations_(std::move(operations)), options_(options), numbers_(operations_.size()) {
  for (unsigned i = 0; i < std::max(options.threads, 1U); ++i) begin_some();
}

// The next case of the operation whose turn it is that is not too large.
Result<CaseStream::Next> CaseStream::next_case() {
  constexpr unsigned too_many = 10000;
  const std::size_t at = turn_++ % operations_.size();
  const Operation& operation = *operations_[at].operation;
  for (unsigned tried = 0; tried < too_many; ++tried) {
    const std::uint64_t number = numbers_[at]++;
    Case made = random_case(operation, options_.seed, number);
    if (options_.max_case_bytes != 0) {
      const Result<std::uint64_t> bytes = operation.case_bytes(made.spec);
      // What breaks the contract is said when it is answered.
      if (bytes && *bytes > options_.max_case_bytes) continue;
    }
    return Next{&operations_[at], std::move(made), number};
  }
  return oracle::fail(ErrorCode::too_small,
                      fmt::format("{}: none of {} random cases running takes at most {} bytes",
                                  operation.name(), too_many, options_.max_case_bytes));
}

Result<AnsweredCase> CaseStream::answer(const Result<Next>& next) {
  if (!next) return tl::make_unexpected(next.error());
  constexpr std::uint64_t all_oracles_each = 64;
  const auto by = next->number % all_oracles_each == 0 ? answer_case : answer_case_quickly;
  Result<AnsweredCase> answered =
      by(*next->operation->operation, next->from, next->operation->profiles);
  if (answered) answered->number = next->number;
  return answered;
}

void CaseStream::begin_some() {
  constexpr std::size_t at_once = 8;  // to begin a thread costs as much as half a small case
  std::vector<Result<Next>> batch;
  for (std::size_t i = 0; i < at_once; ++i) batch.push_back(next_case());
  const auto answer_all = [batch = std::move(batch)] {
    std::deque<Result<AnsweredCase>> answered;
    for (const Result<Next>& next : batch) answered.push_back(answer(next));
    return answered;
  };
  try {
    ahead_.push_back(std::async(std::launch::async, answer_all));
  } catch (const std::system_error&) {
    // There are no more threads to be had: they are answered when they are asked for.
    ahead_.push_back(std::async(std::launch::deferred, answer_all));
  }
}

Result<AnsweredCase> CaseStream::next() {
  if (ready_.empty()) {
    ready_ = ahead_.front().get();
    ahead_.pop_front();
    begin_some();
  }
  Result<AnsweredCase> answered = std::move(ready_.front());
  ready_.pop_front();
  return answered;
}

}  // namespace harness
