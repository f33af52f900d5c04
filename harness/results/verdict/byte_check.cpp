#include "harness/results/verdict/byte_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "harness/results/verdict/expected_bytes.hpp"
#include "harness/results/verdict/verdict.hpp"

namespace harness {
namespace {

// Problem, expected bytes, and what the oracle keeps beside them, in sizes of a case's memory.
constexpr std::uint64_t copies = 3;

// One case under one profile.
struct Task {
  const Case* from;
  const Operation* operation;
  const oracle::Profile* profile;
  std::optional<Result<ExpectedBytes>> expected;
};

// Without an answer where memory runs out.
void compute(Task& task) {
  try {
    task.expected = expected_bytes(*task.operation, *task.from, *task.profile);
  } catch (const std::bad_alloc&) {
    task.expected.reset();
  }
}

// Small cases on all cores; then the large ones, one at a time.
void compute_all(std::vector<Task*> tasks, std::uint64_t memory_bytes) {
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  const auto is_small = [&](const Task* task) {
    return memory_bytes == 0 || task->from->device_bytes <= memory_bytes / (2 * copies * threads);
  };
  const auto large = std::stable_partition(tasks.begin(), tasks.end(), is_small);
  const auto small = static_cast<std::size_t>(large - tasks.begin());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t at = next++; at < small; at = next++) compute(*tasks[at]);
  };
  std::vector<std::jthread> workers;
  try {
    for (std::size_t i = 1; i < std::min<std::size_t>(threads, small); ++i) {
      workers.emplace_back(work);
    }
  } catch (const std::system_error&) {
    // No more threads than there is memory for; this one does what is left.
  }
  work();
  workers.clear();  // joins
  std::for_each(large, tasks.end(), [](Task* task) { compute(*task); });
}

// What a passing record says against what it must say; empty where they agree.
std::string difference(const CaseRecord& record, const ExpectedBytes& expected) {
  constexpr std::uint64_t runs = 2;
  if (record.output_sha256 != expected.sha256) {
    return fmt::format(
        "'{}' is said to pass, and its output bytes are not the right ones: sha256 {}, expected {}",
        record.key(), record.output_sha256, expected.sha256);
  }
  if (record.bytes_compared != runs * expected.bytes || record.calls != runs * expected.calls) {
    return fmt::format("'{}' compared {} bytes of {} calls, and has {} bytes in {} calls",
                       record.key(), record.bytes_compared, record.calls, runs * expected.bytes,
                       runs * expected.calls);
  }
  return {};
}

}  // namespace

ByteCheck check_bytes(const ResultsFile& results, const Plan& plan,
                      const SuiteKnowledge& knowledge) {
  ByteCheck check;
  if (!knowledge.read_profile) return check;        // nothing is known of bytes
  std::map<std::string, oracle::Profile> profiles;  // by digest
  for (const JudgedProfile& profile : results.header.profiles) {
    Result<oracle::Profile> read = knowledge.read_profile(profile.contents);
    if (read) profiles.emplace(profile.sha256, *std::move(read));
  }
  std::map<std::string, const Case*> cases;
  for (const Case& each : plan.cases) cases.emplace(each.id, &each);
  const std::map<std::string, std::string> judged_by = judging_profiles(results.header);

  std::map<std::pair<std::string, std::string>, Task> tasks;  // by case and profile
  std::map<std::string, std::pair<Coverage, bool>> coverage;  // of rows; whether it is all of it
  const auto task_of = [&](const CaseRecord& record) {
    const auto digest = judged_by.find(row_name(record));
    return tasks.find({record.case_id, digest == judged_by.end() ? "" : digest->second});
  };
  for (const CaseRecord& record : results.cases) {
    const auto from = cases.find(record.case_id);
    const auto digest = judged_by.find(row_name(record));
    const Operation* const operation = operation_named(knowledge.operations, record.operation);
    if (record.verdict != Verdict::pass || from == cases.end() || operation == nullptr ||
        digest == judged_by.end()) {
      continue;
    }
    const auto profile = profiles.find(digest->second);
    if (profile == profiles.end()) continue;
    tasks.try_emplace({record.case_id, digest->second},
                      Task{from->second, operation, &profile->second, std::nullopt});
  }
  std::vector<Task*> possible;
  for (auto& [key, task] : tasks) {
    if (knowledge.memory_bytes == 0 || task.from->device_bytes <= knowledge.memory_bytes / copies) {
      possible.push_back(&task);
    } else {
      check.unchecked.push_back(key.first);
    }
  }
  compute_all(possible, knowledge.memory_bytes);
  for (const auto& [key, task] : tasks) {
    const bool tried = std::find(possible.begin(), possible.end(), &task) != possible.end();
    if (tried && !task.expected) check.unchecked.push_back(key.first);
  }

  for (const CaseRecord& record : results.cases) {
    auto& [sum, whole] = coverage.try_emplace(row_name(record), Coverage{}, true).first->second;
    const auto task = task_of(record);
    const bool checked =
        record.verdict == Verdict::pass && task != tasks.end() && task->second.expected;
    whole = whole && checked;
    if (!checked) continue;
    const Result<ExpectedBytes>& expected = *task->second.expected;
    if (!expected) {
      check.contradictions.push_back(
          fmt::format("'{}' is said to pass: {}", record.key(), expected.error().message));
      continue;
    }
    std::string differs = difference(record, *expected);
    if (!differs.empty()) check.contradictions.push_back(std::move(differs));
    sum.merge(expected->coverage);
  }
  for (const CoverageRecord& record : results.coverage) {
    const auto row = coverage.find(row_name(record));
    if (row == coverage.end() || !row->second.second) continue;
    if (row->second.first == record.coverage) continue;
    check.contradictions.push_back(
        fmt::format("the coverage of {} is not that of its cases, which all passed", row->first));
  }
  return check;
}

}  // namespace harness
