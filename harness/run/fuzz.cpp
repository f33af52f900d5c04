#include "harness/run/fuzz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "harness/files/shell.hpp"
#include "harness/model/elapsed.hpp"
#include "harness/run/case_stream.hpp"
#include "harness/run/judge.hpp"
#include "harness/run/patience.hpp"
#include "harness/run/run.hpp"
#include "harness/run/shrink.hpp"
#include "harness/suite/profiles/profiles.hpp"

namespace harness {
namespace {

using Clock = std::chrono::steady_clock;

// What two failures of one kind have in common.
std::string kind_of(const CaseRecord& record) {
  if (!record.diagnosis.fault_class.empty()) return record.diagnosis.fault_class;
  if (record.diagnosis.mismatches != 0) return "bytes that no known class accounts for";
  if (!record.trespasses.empty()) {
    return record.trespasses.front().tensor + ' ' + record.trespasses.front().region;
  }
  return record.reason.substr(0, record.reason.find_first_of("0123456789"));
}

// A small case has less to tell faults apart with than the one that it was made from, whose name it
// keeps where its own bytes allow it.
void keep_name(Diagnosis& small, const Diagnosis& found) {
  const std::vector<std::string>& fitting = small.same_bytes_classes;
  const bool allowed = small.mismatches > 0 &&
                       (small.fault_class.empty() || std::find(fitting.begin(), fitting.end(),
                                                               found.fault_class) != fitting.end());
  if (found.fault_class.empty() || !allowed) return;
  small.fault_class = found.fault_class;
  small.same_bytes_classes = found.same_bytes_classes;
  small.explanation = found.explanation + " This is of the case that it was found by.";
}

// One implementation, and what is known of it so far.
struct Subject {
  Implementation* implementation = nullptr;
  std::string profile;
  FuzzRow row;
  std::set<std::string> kinds;
  Patience patience;
};

class Fuzzer {
 public:
  Fuzzer(const FuzzInputs& inputs, const FuzzObserver& observer)
      : inputs_(inputs), observer_(observer) {
    for (const auto& implementation : inputs.implementations) {
      const ImplementationInfo& info = implementation->info();
      Subject subject{implementation.get(),
                      inputs.profile.empty() ? info.profile : inputs.profile,
                      {},
                      {},
                      Patience(inputs.slow_error_seconds)};
      subject.row.operation = info.operation;
      subject.row.path = info.path;
      subject.row.device = info.device;
      subjects_[info.operation].push_back(std::move(subject));
    }
  }

  Result<FuzzSummary> run() {
    if (Status status = replay(); !status) return tl::make_unexpected(status.error());
    if (Status status = try_random_cases(); !status) return tl::make_unexpected(status.error());
    summary_.total.seconds = seconds_since(start_);
    summary_.interrupted = interrupted();
    for (const Operation* operation : inputs_.operations) {
      const auto found = subjects_.find(operation->name());
      if (found == subjects_.end()) continue;
      for (Subject& subject : found->second) {
        subject.row.missing_bins = bins_not_hit(*operation, subject.row.coverage);
        subject.row.given_up = subject.patience.given_up();
        summary_.rows.push_back(std::move(subject.row));
      }
    }
    return std::move(summary_);
  }

 private:
  bool interrupted() const { return inputs_.interrupted != nullptr && *inputs_.interrupted; }

  // Whether any implementation is still given cases.
  bool anyone_left() const {
    return std::any_of(subjects_.begin(), subjects_.end(), [](const auto& of_operation) {
      const std::vector<Subject>& subjects = of_operation.second;
      return std::any_of(subjects.begin(), subjects.end(), [](const Subject& subject) {
        return subject.patience.given_up().empty();
      });
    });
  }

  static std::set<std::string> profiles_of(const std::vector<Subject>& subjects) {
    std::set<std::string> profiles;
    for (const Subject& subject : subjects) profiles.insert(subject.profile);
    return profiles;
  }

  Status replay() {
    for (const SavedFailure& saved : inputs_.saved) {
      const Operation* const operation = operation_named(inputs_.operations, saved.from.operation);
      const auto found = subjects_.find(saved.from.operation);
      if (operation == nullptr || found == subjects_.end()) {
        ++summary_.not_replayed;
        continue;
      }
      Result<AnsweredCase> answered =
          answer_case(*operation, saved.from, profiles_of(found->second));
      if (!answered) return tl::make_unexpected(answered.error());
      if (Status status = try_on_all(*answered, found->second, &saved); !status) return status;
      if (interrupted()) return {};
    }
    return {};
  }

  Status try_random_cases() {
    std::vector<StreamedOperation> streamed;
    for (const Operation* operation : inputs_.operations) {
      const auto found = subjects_.find(operation->name());
      if (found != subjects_.end()) streamed.push_back({operation, profiles_of(found->second)});
    }
    if (streamed.empty() || inputs_.seconds <= 0) return {};
    const auto begin = Clock::now();
    CaseStream stream(std::move(streamed), {inputs_.seed, inputs_.threads, inputs_.max_case_bytes});
    while (anyone_left() && !interrupted() && seconds_since(begin) < inputs_.seconds &&
           (inputs_.max_cases == 0 || summary_.total.cases < inputs_.max_cases)) {
      Result<AnsweredCase> answered = stream.next();
      if (!answered) return tl::make_unexpected(answered.error());
      std::vector<Subject>& subjects = subjects_.at(answered->from.operation);
      if (Status status = try_on_all(*answered, subjects, nullptr); !status) return status;
      ++summary_.total.cases;
      summary_.total.seconds = seconds_since(start_);
      observer_.progress(summary_.total);
    }
    return {};
  }

  // `saved` is where the case comes from; null for a random one.
  Status try_on_all(AnsweredCase& answered, std::vector<Subject>& subjects,
                    const SavedFailure* saved) {
    for (Subject& subject : subjects) {
      if (!subject.patience.given_up().empty()) continue;
      const auto start = Clock::now();
      PreparedCase& prepared = answered.by_profile.at(subject.profile);
      CaseRecord record =
          judge(*answered.operation, profile_of(subject), prepared, *subject.implementation);
      if (interrupted()) return {};  // what was in flight did not end by itself
      count(subject, record, prepared, saved != nullptr);
      subject.patience.note(record, seconds_since(start));
      if (record.verdict == Verdict::pass) continue;
      if (Status status = take_failure(subject, answered, std::move(record), saved); !status) {
        return status;
      }
    }
    return {};
  }

  // No kind of failure is reported by the quickest oracle alone. Error: the others disagree with
  // it.
  static Status confirm(const AnsweredCase& answered, const std::string& profile) {
    if (!answered.quickly) return {};
    Result<PreparedCase> confirmed =
        PreparedCase::make(*answered.operation, answered.from, **profile_named(profile));
    if (!confirmed) return tl::make_unexpected(confirmed.error());
    return {};
  }

  // Unknown profiles were refused when the case was answered.
  static const oracle::Profile& profile_of(const Subject& subject) {
    return **profile_named(subject.profile);
  }

  void count(Subject& subject, const CaseRecord& record, const PreparedCase& prepared,
             bool replayed) {
    const bool failed = record.verdict != Verdict::pass;
    FuzzRow& row = subject.row;
    ++row.judged;
    ++summary_.total.judged;
    summary_.total.failures += failed ? 1U : 0U;
    row.mismatches += record.verdict == Verdict::mismatch ? 1U : 0U;
    row.errors += record.verdict == Verdict::error ? 1U : 0U;
    if (replayed) {
      ++summary_.replayed;
      summary_.still_fail += failed ? 1U : 0U;
    }
    if (record.verdict != Verdict::error) row.coverage.merge(prepared.coverage());
  }

  Status take_failure(Subject& subject, const AnsweredCase& answered, CaseRecord record,
                      const SavedFailure* saved) {
    const std::string kind = kind_of(record);
    if (!subject.kinds.insert(kind).second) return {};
    if (Status status = confirm(answered, subject.profile); !status) return status;
    FuzzFailure failure;
    failure.found_by = answered.from.id;
    failure.spec = answered.from.spec;
    failure.record = std::move(record);
    if (saved != nullptr) {
      failure.found_by = saved->path.string();
      failure.file = saved->path;
    } else {
      const Diagnosis found = failure.record.diagnosis;
      Shrunk shrunk =
          shrink(*answered.operation, profile_of(subject), *subject.implementation, answered.from,
                 std::move(failure.record), {inputs_.shrink_seconds, inputs_.interrupted});
      failure.spec = std::move(shrunk.spec);
      failure.record = std::move(shrunk.record);
      keep_name(failure.record.diagnosis, found);
      failure.tried = shrunk.tried;
      failure.smallest = shrunk.smallest;
      // Small, it may turn out to be of a kind that was reported already.
      const std::string small_kind = kind_of(failure.record);
      if (small_kind != kind && !subject.kinds.insert(small_kind).second) return {};
    }
    ++subject.row.kinds;
    return report(subject, answered, failure);
  }

  Status report(const Subject& subject, const AnsweredCase& answered, FuzzFailure& failure) {
    const Operation& operation = *answered.operation;
    CaseRecord& record = failure.record;
    record.case_id = saved_case_id(operation.name(), failure.spec);
    record.operation = operation.name();
    record.path = subject.row.path;
    record.device = subject.row.device;
    if (failure.file.empty() && !inputs_.failures.empty()) {
      if (Status status = save_failure(inputs_.failures, operation, failure.spec,
                                       profile_of(subject), record, inputs_.seed);
          !status) {
        return status;
      }
      failure.file = saved_failure_path(inputs_.failures, operation.name(), failure.spec);
    }
    record.reproduce = reproduce(failure, answered);
    observer_.failure(failure);
    return {};
  }

  // The command that comes to this failure again: by its file, or as far as its number.
  std::string reproduce(const FuzzFailure& failure, const AnsweredCase& answered) const {
    const std::string how = failure.file.empty()
                                ? fmt::format("--seed {} --cases {} --time {:g}s", inputs_.seed,
                                              answered.number + 1, inputs_.seconds)
                                : "--replay " + shell_word(failure.file.string());
    std::string text = fmt::format("{} {} --op {} --device {} --path {}", inputs_.command, how,
                                   failure.record.operation, shell_word(failure.record.device),
                                   shell_word(failure.record.path));
    if (!inputs_.profile.empty()) text += " --profile " + shell_word(inputs_.profile);
    return text;
  }

  const FuzzInputs& inputs_;
  const FuzzObserver& observer_;
  Clock::time_point start_ = Clock::now();
  std::map<std::string, std::vector<Subject>, std::less<>> subjects_;  // by operation
  FuzzSummary summary_;
};

}  // namespace

std::uint64_t FuzzSummary::mismatches() const {
  std::uint64_t sum = 0;
  for (const FuzzRow& row : rows) sum += row.mismatches;
  return sum;
}

std::uint64_t FuzzSummary::errors() const {
  std::uint64_t sum = 0;
  for (const FuzzRow& row : rows) sum += row.errors;
  return sum;
}

Result<FuzzSummary> fuzz(const FuzzInputs& inputs, const FuzzObserver& observer) {
  return Fuzzer(inputs, observer).run();
}

}  // namespace harness
