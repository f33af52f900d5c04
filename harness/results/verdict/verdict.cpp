#include "harness/results/verdict/verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/model/exit_codes.hpp"
#include "harness/model/profile_name.hpp"
#include "harness/model/software_instruction.hpp"
#include "harness/results/verdict/ecc_rise.hpp"
#include "harness/results/verdict/requests.hpp"

namespace harness {
namespace {

std::string cases(std::uint64_t count, std::uint64_t planned) {
  return fmt::format("{} of {} cases", count, planned);
}

std::string describe(const NotRunRecord& record) {
  std::string what =
      record.operation.empty() ? record.path : fmt::format("{} {}", record.operation, record.path);
  if (!record.device.empty()) {
    what = what.empty() ? record.device : fmt::format("{} on {}", what, record.device);
  }
  if (what.empty()) return record.reason;
  return fmt::format("requested, and not run: {}: {}", what, record.reason);
}

std::string describe_missing(const CoverageRecord& record) {
  constexpr std::size_t listed = 8;
  const std::size_t count = std::min(record.missing_bins.size(), listed);
  std::string text = fmt::format(
      "coverage: {} {} on {} did not hit {} required bins: {}", record.operation, record.path,
      record.device, record.missing_bins.size(),
      fmt::join(record.missing_bins.begin(),
                record.missing_bins.begin() + static_cast<std::ptrdiff_t>(count), ", "));
  if (record.missing_bins.size() > listed) text += ", ...";
  return text;
}

// Digests of the profiles that a device's implementations are judged by and that are files: what
// these allow is theirs, and so is what they are called.
std::set<std::string> profile_files(const RunHeader& header, const std::string& device) {
  constexpr std::size_t shown = 12;
  std::set<std::string> digests;
  for (const ImplementationInfo& info : header.implementations) {
    if (info.device != device) continue;
    const std::string& name =
        header.selection.profile.empty() ? info.profile : header.selection.profile;
    if (!names_a_profile_file(name)) continue;
    for (const JudgedProfile& profile : header.profiles) {
      if (profile.name == name) digests.insert(profile.sha256.substr(0, shown));
    }
  }
  return digests;
}

// How each board was before the run; of a run of shards, before each of them.
std::vector<nlohmann::ordered_json> boards_before(const nlohmann::ordered_json& environment) {
  std::vector<nlohmann::ordered_json> boards;
  const auto add = [&](const nlohmann::ordered_json& of) {
    const auto found = of.find("boards");
    if (found == of.end() || !found->is_array()) return;
    boards.insert(boards.end(), found->begin(), found->end());
  };
  add(environment);
  const auto shards = environment.find("shards");
  if (shards == environment.end() || !shards->is_array()) return boards;
  for (const nlohmann::ordered_json& shard : *shards) {
    if (shard.is_object() && shard.contains("environment")) add(shard["environment"]);
  }
  return boards;
}

// What a request that is not met says already.
bool is_said(const NotRunRecord& record, std::span<const Request> unmet) {
  return std::any_of(unmet.begin(), unmet.end(), [&](const Request& request) {
    return request.name == record.operation || request.name == record.path ||
           request.name == record.device;
  });
}

}  // namespace

bool judges_coverage(const Selection& selection) {
  return selection.level >= Level::full && selection.filters.empty() &&
         selection.excludes.empty() && selection.shard.count == 1;
}

bool judges_answers(const RunHeader& header) {
  return header.selection.devices == std::vector<std::string>{answers_from_outside} &&
         header.devices.empty() && header.implementations.empty();
}

PlannedRun planned_run(const Plan& plan, std::span<const ImplementationInfo> implementations) {
  PlannedRun run;
  for (const PlannedCase& planned : plan.planned) {
    const ImplementationInfo& info = implementations[planned.implementation];
    run.rows.push_back({planned.index, plan.cases[planned.case_index].id,
                        plan.case_sha256[planned.case_index], info.operation, info.path,
                        info.device});
  }
  run.idle_filters = plan.idle_filters;
  return run;
}

std::map<std::string, std::string> judging_profiles(const RunHeader& header) {
  std::map<std::string, std::string> digests;
  for (const ImplementationInfo& info : header.implementations) {
    const std::string& name =
        header.selection.profile.empty() ? info.profile : header.selection.profile;
    std::string& digest = digests[info.key()];
    for (const JudgedProfile& profile : header.profiles) {
      if (profile.name == name) digest = profile.sha256;
    }
  }
  return digests;
}

VerdictBook::VerdictBook(const RunHeader& header, const PlannedRun& plan,
                         std::span<const Operation* const> operations)
    : header_(header),
      plan_(plan),
      operations_(operations),
      profile_sha256_(judging_profiles(header)) {
  for (const PlannedRow& row : plan.rows) {
    rows_.emplace(row.key(), &row);
    tally_.plan(row.key(), row.operation, row.path, row.device);
  }
}

void VerdictBook::add(const CaseRecord& record) {
  has_cases_ = true;
  const std::string key = record.key();
  const auto found = rows_.find(key);
  if (found == rows_.end()) {
    faults_.push_back(fmt::format("'{}' is not in the plan", key));
  } else {
    const PlannedRow& row = *found->second;
    if (record.index != row.index || record.case_sha256 != row.case_sha256 ||
        record.operation != row.operation) {
      faults_.push_back(fmt::format(
          "'{}' is case {} of {} with the spec {}, and was planned as case {} of {} with the spec "
          "{}",
          key, record.index, record.operation, record.case_sha256, row.index, row.operation,
          row.case_sha256));
    }
  }
  const std::uint64_t stray = tally_.stray();
  tally_.add(record);
  if (tally_.stray() != stray && found != rows_.end()) {
    faults_.push_back(fmt::format("'{}' is recorded twice", key));
  }
  if (record.verdict != Verdict::pass) return;
  if (record.calls == 0 || record.output_sha256.empty()) {
    faults_.push_back(fmt::format("'{}' passed, and nothing of it was run", key));
  }
  // Right bytes are the same bytes, whoever made them.
  const auto profile = profile_sha256_.find(row_name(record));
  const auto [first, is_new] = passed_.try_emplace(
      record.case_id + ' ' + (profile == profile_sha256_.end() ? "" : profile->second),
      record.output_sha256, key);
  if (!is_new && first->second.first != record.output_sha256) {
    faults_.push_back(
        fmt::format("'{}' and '{}' passed with different output bytes, sha256 {} and {}",
                    first->second.second, key, first->second.first, record.output_sha256));
  }
}

void VerdictBook::add(const CoverageRecord& record) {
  CoverageRecord judged{record.operation, record.path, record.device, {}, {}, false};
  judged.judged = judges_coverage(header_.selection);
  if (record.judged != judged.judged) {
    faults_.push_back(fmt::format("the coverage of {} is {}judged, and by the selection it is {}",
                                  row_name(record), record.judged ? "" : "not ",
                                  judged.judged ? "judged" : "not"));
  }
  const Operation* const operation = operation_named(operations_, record.operation);
  judged.missing_bins =
      operation == nullptr ? record.missing_bins : bins_not_hit(*operation, record.coverage);
  if (judged.missing_bins != record.missing_bins) {
    faults_.push_back(
        fmt::format("the coverage of {} says that it lacks [{}], and by its counts it lacks [{}]",
                    row_name(record), fmt::join(record.missing_bins, ", "),
                    fmt::join(judged.missing_bins, ", ")));
  }
  coverage_.push_back(std::move(judged));
}

std::vector<std::string> VerdictBook::contradictions(bool ended) const {
  std::vector<std::string> faults = faults_;
  // A run that was killed before its first case may lack some; it begins anew.
  if (not_run_.size() != header_.not_run_rows && (ended || has_cases_)) {
    faults.push_back(fmt::format("the header announces {} rows that were not run, and there are {}",
                                 header_.not_run_rows, not_run_.size()));
  }
  if (!ended) return faults;  // coverage and boards come at the end
  for (const nlohmann::ordered_json& board : boards_before(header_.environment)) {
    const bool told = std::any_of(boards_.begin(), boards_.end(), [&](const BoardRecord& record) {
      return record.before == board;
    });
    if (!told) faults.push_back("a board of the header has no record of how it was after the run");
  }
  for (const ResultRow& row : tally_.rows()) {
    const auto count = std::count_if(
        coverage_.begin(), coverage_.end(),
        [&](const CoverageRecord& record) { return row_name(record) == row_name(row); });
    if (count != 1) {
      faults.push_back(
          fmt::format("{} has {} coverage records, and must have one", row_name(row), count));
    }
  }
  if (coverage_.size() > tally_.rows().size()) {
    faults.emplace_back("there is coverage of rows that have no case");
  }
  return faults;
}

std::vector<std::string> VerdictBook::missing(bool interrupted) const {
  std::vector<std::string> reasons;
  if (interrupted) reasons.emplace_back("interrupted");
  if (tally_.planned() == 0) reasons.emplace_back("nothing was planned: no case is selected");
  if (tally_.executed() < tally_.planned()) {
    reasons.push_back(cases(tally_.planned() - tally_.executed(), tally_.planned()) +
                      " did not run");
  }
  if (tally_.stray() != 0) {
    reasons.push_back(fmt::format("{} records are of cases that were not planned, or twice of one",
                                  tally_.stray()));
  }
  const std::vector<Request> unmet = unmet_requests(header_, plan_.idle_filters, not_run_);
  for (const Request& request : unmet) reasons.push_back(request.sentence);
  for (const NotRunRecord& record : not_run_) {
    if (record.requested && !is_said(record, unmet)) reasons.push_back(describe(record));
  }
  reasons.insert(reasons.end(), lacks_.begin(), lacks_.end());
  for (const CoverageRecord& record : coverage_) {
    // What was not run could not hit its bins: that is no news.
    const bool told = interrupted && tally_.executed() < tally_.planned();
    if (!told && record.judged && !record.missing_bins.empty()) {
      reasons.push_back(describe_missing(record));
    }
  }
  return reasons;
}

// Why a run that conforms is no conformance statement; empty where it is one.
std::string VerdictBook::no_statement() const {
  const Selection& selection = header_.selection;
  if (judges_answers(header_)) {
    return "files do not say how they were made: no conformance statement";
  }
  if (selection.level < Level::full) {
    return fmt::format("level {} is no conformance statement: that takes full or exhaustive",
                       name_of(selection.level));
  }
  if (selection.shard.count > 1) {
    return fmt::format("shard {}/{} alone is no conformance statement: that takes all of them",
                       selection.shard.index, selection.shard.count);
  }
  if (!judges_coverage(selection)) {
    return "a filtered run is no conformance statement: that takes every case";
  }
  for (const DeviceInfo& device : header_.devices) {
    if (!device.facts.contains("library_named_by")) continue;
    return fmt::format(
        "the runtime of {} was named by {}, and nobody knows whose it is: no conformance statement",
        device.name, device.facts["library_named_by"].dump());
  }
  const bool all_in_software = std::all_of(header_.implementations.begin(),
                                           header_.implementations.end(), instruction_in_software);
  if (all_in_software && !header_.implementations.empty()) {
    return "the instruction of every path was software: no conformance statement";
  }
  for (const ImplementationInfo& info : header_.implementations) {
    if (info.execution == Machinery::native) continue;
    return fmt::format(
        "{} {} on {} is {}, which says nothing about a processor: no conformance statement",
        info.operation, info.path, info.device, name_of(info.execution));
  }
  if (header_.environment.contains("worker_named_by")) {
    return "the worker was named by FP4CTS_WORKER, and nobody knows whose it is: no conformance "
           "statement";
  }
  for (const EccRise& rise : ecc_rises(boards_)) {
    if (rise.corrected) continue;
    return fmt::format("{} had {}: no conformance statement", rise.device, rise.text());
  }
  return {};
}

// "cpu", "cuda:0 (NVIDIA H200, sm_90)", "ptx:0 (simulated, sm_100a)", in the order of the rows.
std::vector<std::string> VerdictBook::scope() const {
  std::vector<std::string> names;
  std::vector<std::string> scope;
  for (const ResultRow& row : tally_.rows()) {
    if (row.run == 0 || std::find(names.begin(), names.end(), row.device) != names.end()) continue;
    names.push_back(row.device);
    std::vector<std::string> words;
    for (const Machinery machinery : {Machinery::emulated, Machinery::simulated}) {
      const bool is = std::any_of(header_.implementations.begin(), header_.implementations.end(),
                                  [&](const ImplementationInfo& info) {
                                    return info.device == row.device && info.execution == machinery;
                                  });
      if (is) words.emplace_back(name_of(machinery));
    }
    std::vector<std::string> paths;
    for (const ImplementationInfo& info : header_.implementations) {
      if (info.device != row.device || !instruction_in_software(info)) continue;
      if (std::find(paths.begin(), paths.end(), info.path) == paths.end()) {
        paths.push_back(info.path);
      }
    }
    if (!paths.empty()) {
      words.push_back(fmt::format("{} with its instruction in software", fmt::join(paths, ", ")));
    }
    for (const DeviceInfo& device : header_.devices) {
      if (device.name != row.device || device.name == "cpu") continue;
      words.push_back(device.description.substr(0, device.description.find(',')));
      words.push_back(device.architecture);
    }
    for (const EccRise& rise : ecc_rises(boards_)) {
      if (rise.device == row.device) words.push_back(rise.text());
    }
    if (row.device == answers_from_outside) words.emplace_back("answers in files");
    for (const std::string& digest : profile_files(header_, row.device)) {
      words.push_back(fmt::format("by a profile file, sha256 {}", digest));
    }
    std::erase(words, "");
    scope.push_back(words.empty() ? row.device
                                  : fmt::format("{} ({})", row.device, fmt::join(words, ", ")));
  }
  return scope;
}

EndRecord VerdictBook::conclude(bool interrupted,
                                std::span<const std::string> waiver_faults) const {
  EndRecord end;
  end.interrupted = interrupted;
  end.planned = tally_.planned();
  end.executed = tally_.executed();
  end.verified = tally_.verified();
  end.rows = tally_.rows();
  end.scope = scope();
  if (tally_.mismatches() != 0) {
    end.reasons.push_back(cases(tally_.mismatches(), end.planned) + " give wrong bytes");
  }
  if (tally_.errors() != 0) {
    end.reasons.push_back(cases(tally_.errors(), end.planned) + " ended in an error");
  }
  if (tally_.waived() != 0) {
    end.reasons.push_back(cases(tally_.waived(), end.planned) + " failed and are waived");
  }
  end.reasons.insert(end.reasons.end(), waiver_faults.begin(), waiver_faults.end());
  const std::vector<std::string> lacks = missing(interrupted);
  end.reasons.insert(end.reasons.end(), lacks.begin(), lacks.end());
  const bool all_passed = tally_.mismatches() + tally_.errors() + tally_.waived() == 0;
  for (const EccRise& rise : ecc_rises(boards_)) {
    // Where all passed the scope says it.
    if (!all_passed) end.reasons.push_back(fmt::format("{} had {}", rise.device, rise.text()));
  }
  const auto set = [&](RunVerdict verdict, int exit_code) {
    end.verdict = verdict;
    end.exit_code = exit_code;
  };
  if (tally_.mismatches() != 0) {
    set(RunVerdict::mismatch, exit_mismatch);
  } else if (tally_.errors() != 0) {
    set(RunVerdict::error, exit_error);
  } else if (judges_answers(header_) && !not_run_.empty()) {
    set(RunVerdict::error, exit_usage);
  } else if (!lacks.empty() || end.executed != end.planned) {
    set(RunVerdict::incomplete, exit_incomplete);
  } else if (!waiver_faults.empty()) {
    set(RunVerdict::stale_waivers, exit_mismatch);
  } else if (tally_.waived() != 0) {
    set(RunVerdict::waived, exit_conforms);
  } else {
    set(RunVerdict::conforms, exit_conforms);
    const std::string reason = no_statement();
    end.statement = reason.empty();
    if (!end.statement) end.reasons.push_back(reason);
  }
  return end;
}

}  // namespace harness
