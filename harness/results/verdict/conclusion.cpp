#include "harness/results/verdict/conclusion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/files/sha256.hpp"
#include "harness/model/exit_codes.hpp"
#include "harness/results/verdict/answer_bytes.hpp"
#include "harness/results/verdict/byte_check.hpp"
#include "harness/results/verdict/header_check.hpp"
#include "harness/results/verdict/verdict.hpp"

namespace harness {
namespace {

// A plan that consists of what is recorded.
PlannedRun recorded_run(const ResultsFile& results) {
  PlannedRun run;
  for (const CaseRecord& record : results.cases) {
    run.rows.push_back({record.index, record.case_id, record.case_sha256, record.operation,
                        record.path, record.device});
  }
  return run;
}

// What a file must say where its records are the whole plan.
std::vector<std::string> recorded_faults(const ResultsFile& results) {
  const RunHeader& header = results.header;
  for (const CaseRecord& record : results.cases) {
    if (judges_answers(header) && record.device != answers_from_outside) {
      return {fmt::format("'{}' is on a device, and only files were judged", record.key())};
    }
  }
  if (results.cases.size() != header.plan_planned || header.selection.shard.count != 1) return {};
  Sha256 plan;
  for (const CaseRecord& record : results.cases) {
    plan.update(record.key() + ' ' + record.case_sha256 + '\n');
  }
  if (plan.hex() == header.plan_sha256 && header.plan_total == header.plan_planned) return {};
  return {"the recorded cases are not those of the header's plan"};
}

// What follows from a run's records, with the waivers that are in them.
struct Drawn {
  EndRecord end;
  bool complete = false;
  std::vector<std::string> faults;
};

Drawn draw(const ResultsFile& results, const PlannedRun& plan,
           std::span<const Operation* const> operations, bool interrupted,
           std::span<const WaiverUse> waivers = {}, std::span<const std::string> lacks = {}) {
  VerdictBook book(results.header, plan, operations);
  for (const std::string& reason : lacks) book.lack(reason);
  for (const NotRunRecord& record : results.not_run) book.add(record);
  for (const CaseRecord& record : results.cases) book.add(record);
  for (const BoardRecord& record : results.boards) book.add(record);
  for (const CoverageRecord& record : results.coverage) book.add(record);
  const bool ended = results.end.has_value() && !judges_answers(results.header);
  const std::vector<std::string> stale = waiver_faults(waivers);
  Drawn drawn{book.conclude(interrupted, stale), book.missing(interrupted).empty(),
              book.contradictions(ended)};
  if (results.end) {
    drawn.end.finished = results.end->finished;
    drawn.end.seconds = results.end->seconds;
  }
  return drawn;
}

// The members of an end record that follow from the records, as text.
std::string told(const EndRecord& end) {
  nlohmann::ordered_json json = to_json(end);
  json.erase("finished");
  json.erase("seconds");
  json.erase("reasons");  // their words
  for (auto& row : json["rows"]) row.erase("gigabytes_per_second");
  return json.dump();
}

// The end record against what follows; empty where they agree.
std::string end_fault(const EndRecord& said, const EndRecord& follows) {
  // Waivers are not in the file: which failures they covered is taken from nobody, and no more is
  // believed than what they can have done to records that are whole.
  const bool failed =
      follows.verdict == RunVerdict::mismatch || follows.verdict == RunVerdict::error;
  const bool is_stale = said.verdict == RunVerdict::stale_waivers &&
                        said.exit_code == exit_mismatch &&
                        (failed || follows.verdict == RunVerdict::conforms);
  const bool is_waived =
      said.verdict == RunVerdict::waived && said.exit_code == exit_conforms && failed;
  if ((is_stale || is_waived) && !said.statement && said.planned == follows.planned &&
      said.executed == follows.executed && said.verified == follows.verified &&
      said.scope == follows.scope) {
    return {};
  }
  if (told(said) == told(follows)) return {};
  if (said.verdict != follows.verdict) {
    return fmt::format("the end record says {}, and what follows is {}: {}", name_of(said.verdict),
                       name_of(follows.verdict), fmt::join(follows.reasons, "; "));
  }
  return fmt::format("the end record says {}, and what follows is {}", told(said), told(follows));
}

tl::unexpected<Error> refused(std::string_view name, const std::vector<std::string>& faults) {
  constexpr std::size_t listed = 5;
  std::string text = fmt::format("{}: does not add up: ", name);
  for (std::size_t i = 0; i < std::min(faults.size(), listed); ++i) {
    text += (i == 0 ? "" : "; ") + faults[i];
  }
  if (faults.size() > listed) text += fmt::format("; and {} faults more", faults.size() - listed);
  return oracle::fail(ErrorCode::invalid_argument, std::move(text));
}

bool was_interrupted(const ResultsFile& results) {
  return !results.end || results.end->interrupted;
}

struct Examined {
  PlannedRun planned;
  std::span<const Operation* const> operations;
  Drawn drawn;
  std::vector<std::string> faults;
  std::vector<std::string> lacks;
  std::vector<std::string> notes;
};

void check_answers(const ResultsFile& results, const SuiteKnowledge& knowledge, bool bytes,
                   Examined& examined) {
  std::vector<std::string>& faults = examined.faults;
  for (std::string& fault : profile_faults(results.header, knowledge)) {
    faults.push_back(std::move(fault));
  }
  if (!faults.empty() || !bytes) return;
  AnswerBytes check = check_answer_bytes(results, knowledge);
  faults = std::move(check.contradictions);
  if (check.unknown == 0) return;
  examined.lacks.push_back(fmt::format(
      "{} answers are said to be right, and cannot be computed again from these results: their "
      "golden files hold no case of this suite (check the files themselves)",
      check.unknown));
}

void check_plan(const ResultsFile& results, const SuiteKnowledge& knowledge, bool bytes,
                Examined& examined) {
  const Result<Plan> plan = plan_again(results.header, knowledge);
  if (!plan) {
    examined.faults.push_back(plan.error().message);
    return;
  }
  examined.operations = knowledge.operations;
  examined.faults = header_faults(results.header, results.not_run, *plan, knowledge);
  examined.planned = planned_run(*plan, results.header.implementations);
  if (!examined.faults.empty() || !bytes) return;
  ByteCheck check = check_bytes(results, *plan, knowledge);
  examined.faults = std::move(check.contradictions);
  if (check.unchecked.empty()) return;
  examined.notes.push_back(
      fmt::format("the bytes of {} cases were not computed again, they need more memory than this "
                  "machine has: {}",
                  check.unchecked.size(), fmt::join(check.unchecked, ", ")));
}

Examined examine(const ResultsFile& results, std::string_view name, const SuiteKnowledge& knowledge,
                 const ConcludeOptions& options) {
  const RunHeader& header = results.header;
  Examined examined;
  const bool other_build = header.suite_commit != knowledge.commit && options.other_builds;
  if (other_build || judges_answers(header)) {
    if (other_build) {
      examined.notes.push_back(fmt::format(
          "{} was made by the suite's commit {}, and this is {}: its plan and its bytes are taken "
          "as they are",
          name, header.suite_commit, knowledge.commit));
    }
    examined.planned = recorded_run(results);
    examined.faults = recorded_faults(results);
    if (!other_build && examined.faults.empty()) {
      check_answers(results, knowledge, options.bytes, examined);
    }
  } else {
    check_plan(results, knowledge, options.bytes, examined);
    if (header.suite_commit != knowledge.commit) {
      examined.notes.push_back(
          fmt::format("{} was made by the suite's commit {}; this build, {}, plans the same cases "
                      "of it",
                      name, header.suite_commit, knowledge.commit));
    }
  }
  for (std::string& fault : identity_faults(results, knowledge)) {
    examined.faults.push_back(std::move(fault));
  }
  examined.drawn = draw(results, examined.planned, examined.operations, was_interrupted(results),
                        {}, examined.lacks);
  std::vector<std::string>& faults = examined.faults;
  const std::vector<std::string>& found = examined.drawn.faults;
  faults.insert(faults.end(), found.begin(), found.end());
  // What this file cannot show was shown to those who compared the files.
  const bool shown = examined.lacks.empty();
  if (results.end && shown) {
    std::string fault = end_fault(*results.end, examined.drawn.end);
    if (!fault.empty()) faults.push_back(std::move(fault));
  }
  return examined;
}

// What records say of waivers; how many are said to be waived.
std::uint64_t forget_waivers(ResultsFile& results) {
  std::uint64_t waived = 0;
  for (CaseRecord& record : results.cases) {
    if (!record.waiver.empty()) ++waived;
    record.waiver.clear();
  }
  return waived;
}

}  // namespace

void keep_stale_waivers(const EndRecord& said, EndRecord& follows) {
  if (said.verdict != RunVerdict::stale_waivers || follows.verdict != RunVerdict::conforms) return;
  follows.verdict = RunVerdict::stale_waivers;
  follows.exit_code = exit_mismatch;
  follows.reasons = said.reasons;
  follows.statement = false;
}

EndRecord draw_end(const ResultsFile& results, const SuiteKnowledge& knowledge, bool interrupted,
                   std::span<const WaiverUse> waivers) {
  const Result<Plan> plan = plan_again(results.header, knowledge);
  const PlannedRun run = plan ? planned_run(*plan, results.header.implementations) : PlannedRun{};
  return draw(results, run, knowledge.operations, interrupted, waivers).end;
}

Status adds_up(const ResultsFile& results, std::string_view name, const SuiteKnowledge& knowledge,
               const ConcludeOptions& options) {
  const Examined examined = examine(results, name, knowledge, options);
  if (!examined.faults.empty()) return refused(name, examined.faults);
  return {};
}

Result<ConcludedRun> conclude(ResultsFile results, std::string_view name,
                              const SuiteKnowledge& knowledge, const ConcludeOptions& options) {
  const std::uint64_t waived = forget_waivers(results);
  Examined examined = examine(results, name, knowledge, options);
  if (!examined.faults.empty()) return refused(name, examined.faults);
  ConcludedRun run;
  run.end = std::move(examined.drawn.end);
  run.complete = examined.drawn.complete;
  run.notes = std::move(examined.notes);
  if (waived != 0 && !options.waivers) {
    run.notes.push_back(fmt::format(
        "{} of the failures in {} were waived, and count as failures here: no waivers were given",
        waived, name));
  }
  if (options.waivers) {
    run.waivers = apply_waivers(results, *options.waivers, options.today);
    run.end = draw(results, examined.planned, examined.operations, was_interrupted(results),
                   run.waivers, examined.lacks)
                  .end;
  } else if (results.end) {
    keep_stale_waivers(*results.end, run.end);
  }
  run.results = std::move(results);
  return run;
}

}  // namespace harness
