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

Result<AnsweredCase> answer_case(const Operation& operation, Case from,
                                 const std::set<std::string>& profiles) {
  AnsweredCase answered{&operation, std::move(from), 0, {}};
  for (const std::string& name : profiles) {
    const Result<const oracle::Profile*> profile = profile_named(name);
    if (!profile) return tl::make_unexpected(profile.error());
    Result<PreparedCase> prepared = PreparedCase::make(operation, answered.from, **profile);
    if (!prepared) {
      return oracle::fail(
          prepared.error().code,
          fmt::format("{}, spec {}", prepared.error().message, answered.from.spec.dump()));
    }
    answered.by_profile.emplace(name, std::move(*prepared));
  }
  return answered;
}

CaseStream::CaseStream(std::vector<StreamedOperation> operations, std::uint64_t seed,
                       unsigned threads)
    : operations_(std::move(operations)), seed_(seed) {
  for (unsigned i = 0; i < std::max(threads, 1U); ++i) begin_one();
}

void CaseStream::begin_one() {
  const StreamedOperation& next = operations_[begun_ % operations_.size()];
  const std::uint64_t number = begun_ / operations_.size();
  ++begun_;
  const auto answer = [&next, number, seed = seed_] {
    Case made = random_case(*next.operation, seed, number);
    return answer_case(*next.operation, std::move(made), next.profiles)
        .map([number](AnsweredCase answered) {
          answered.number = number;
          return answered;
        });
  };
  try {
    ahead_.push_back(std::async(std::launch::async, answer));
  } catch (const std::system_error&) {
    // There are no more threads to be had: it is answered when it is asked for.
    ahead_.push_back(std::async(std::launch::deferred, answer));
  }
}

Result<AnsweredCase> CaseStream::next() {
  Result<AnsweredCase> answered = ahead_.front().get();
  ahead_.pop_front();
  begin_one();
  return answered;
}

}  // namespace harness
