#include "harness/results/gate/diff.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "harness/results/verdict/verdict.hpp"

namespace harness {
namespace {

bool failed(const CaseRecord& record) {
  return record.verdict == Verdict::mismatch || record.verdict == Verdict::error;
}

DiffEntry entry(Change change, const CaseRecord* before, const CaseRecord* now,
                std::string detail) {
  const CaseRecord& record = now != nullptr ? *now : *before;
  const auto verdict = [](const CaseRecord* of) {
    return of == nullptr ? std::string("absent") : std::string(name_of(of->verdict));
  };
  return {change,       record.key(),      verdict(before),
          verdict(now), std::move(detail), now == nullptr ? "" : now->reproduce};
}

// What else is wrong with a case than the bytes of its first run. What an error says has times in
// it.
std::string wrong_with(const CaseRecord& record) {
  if (record.verdict != Verdict::mismatch) return {};
  const std::string& name = record.diagnosis.fault_class;
  std::string text = fmt::format("{} wrong elements, {}", record.diagnosis.mismatches,
                                 name.empty() ? "not named" : name);
  for (const Trespass& trespass : record.trespasses) {
    text += fmt::format(", {} bytes of {} ({})", trespass.count, trespass.tensor, trespass.region);
  }
  return text;
}

// What became of one case; nothing where verdict and bytes are the same.
std::optional<DiffEntry> compare(const CaseRecord& before, const CaseRecord& now) {
  if (now.verdict == Verdict::not_run) {
    if (before.verdict == Verdict::not_run) return std::nullopt;
    return entry(Change::newly_not_run, &before, &now, now.reason);
  }
  if (failed(now) && now.verdict != before.verdict) {
    return entry(now.waiver.empty() ? Change::new_failure : Change::waived, &before, &now,
                 now.reason);
  }
  if (now.verdict == Verdict::pass && before.verdict != Verdict::pass) {
    return entry(Change::fixed, &before, &now, before.reason);
  }
  if (before.output_sha256 != now.output_sha256) {  // a waiver accepts wrong bytes, not any bytes
    return entry(
        Change::drift, &before, &now,
        fmt::format("output sha256 {} became {}", before.output_sha256, now.output_sha256));
  }
  // The bytes of the first run are not all that can be wrong.
  const std::string was = wrong_with(before);
  const std::string is = wrong_with(now);
  if (was != is) {
    return entry(Change::drift, &before, &now, fmt::format("{} became {}", was, is));
  }
  return std::nullopt;
}

std::string driver_of(const DeviceInfo& info) {
  return info.facts.contains("driver") ? info.facts["driver"].dump() : std::string("none");
}

std::vector<std::string> notes_of(const RunHeader& before, const RunHeader& now) {
  std::vector<std::string> notes;
  const auto note = [&](const std::string& what, const std::string& a, const std::string& b) {
    if (a != b) notes.push_back(fmt::format("{}: {} became {}", what, a, b));
  };
  const auto shown = [](const std::string& text) { return text.empty() ? "none" : text; };
  note("suite version", before.suite_version, now.suite_version);
  note("suite commit", before.suite_commit, now.suite_commit);
  note("level", std::string(name_of(before.selection.level)),
       std::string(name_of(now.selection.level)));
  note("profile", shown(before.selection.profile), shown(now.selection.profile));
  for (const JudgedProfile& profile : now.profiles) {
    for (const JudgedProfile& old : before.profiles) {
      if (old.name != profile.name) continue;
      note("what the profile " + profile.name + " says", old.sha256, profile.sha256);
    }
  }
  note("seed", std::to_string(before.selection.seed), std::to_string(now.selection.seed));
  note("vector manifest", shown(before.vectors_sha256), shown(now.vectors_sha256));
  for (const DeviceInfo& info : now.devices) {
    for (const DeviceInfo& old : before.devices) {
      if (old.name != info.name) continue;
      note(info.name, old.description, info.description);
      note(info.name + " driver", driver_of(old), driver_of(info));
    }
  }
  for (const ImplementationInfo& info : now.implementations) {
    for (const ImplementationInfo& old : before.implementations) {
      if (old.key() != info.key()) continue;
      note(info.key() + " module", shown(old.module_sha256), shown(info.module_sha256));
      note(info.key() + " toolkit", shown(old.toolkit), shown(info.toolkit));
      note(info.key() + " profile", shown(old.profile), shown(info.profile));
    }
  }
  return notes;
}

// What keeps two runs from being the same without a case that says so.
std::vector<std::string> hindrances_of(const ConcludedRun& baseline, const ConcludedRun& now) {
  std::vector<std::string> hindrances;
  const auto whole = [&](std::string_view which, const ConcludedRun& run) {
    if (run.complete) return;
    hindrances.push_back(
        fmt::format("{} is not complete: {}", which, fmt::join(run.end.reasons, "; ")));
  };
  whole("the baseline", baseline);
  whole("the new run", now);
  const auto before = judging_profiles(baseline.results.header);
  for (const auto& [key, digest] : judging_profiles(now.results.header)) {
    const auto old = before.find(key);
    if (old == before.end() || old->second == digest) continue;
    hindrances.push_back(fmt::format("{} was judged by another profile: sha256 {} became {}", key,
                                     old->second, digest));
  }
  // Answers in files have no implementation that says it.
  std::map<std::string, std::string> asked;
  for (const CaseRecord& record : baseline.results.cases) {
    if (record.asked) asked[record.key()] = record.asked->profile_sha256;
  }
  for (const CaseRecord& record : now.results.cases) {
    const auto old = asked.find(record.key());
    if (!record.asked || old == asked.end() || old->second == record.asked->profile_sha256) {
      continue;
    }
    hindrances.push_back(fmt::format("{} was judged by another profile: sha256 {} became {}",
                                     record.key(), old->second, record.asked->profile_sha256));
    break;  // one says enough
  }
  return hindrances;
}

}  // namespace

std::string_view name_of(Change change) {
  static constexpr std::array<std::string_view, 7> names{
      "new_failure", "drift", "vanished", "newly_not_run", "fixed", "added", "waived"};
  return names[static_cast<std::size_t>(change)];
}

std::uint64_t Diff::count(Change change) const {
  return static_cast<std::uint64_t>(
      std::count_if(entries.begin(), entries.end(),
                    [&](const DiffEntry& entry) { return entry.change == change; }));
}

int Diff::exit_code() const {
  if (count(Change::new_failure) + count(Change::drift) + waiver_faults.size() != 0) return 1;
  if (count(Change::vanished) + count(Change::newly_not_run) + hindrances.size() != 0) return 4;
  return 0;
}

Result<Diff> diff_results(const ConcludedRun& baseline_run, const ConcludedRun& now_run) {
  const ResultsFile& baseline = baseline_run.results;
  const ResultsFile& now = now_run.results;
  if (!baseline.end) {
    return oracle::fail(ErrorCode::invalid_argument,
                        "diff: the baseline was killed before its end: finish it with --resume");
  }
  if (baseline.header.selection.shard.count != 1) {
    const Shard& shard = baseline.header.selection.shard;
    return oracle::fail(ErrorCode::invalid_argument,
                        fmt::format("diff: the baseline is shard {}/{}: merge its shards first",
                                    shard.index, shard.count));
  }
  Diff diff;
  diff.hindrances = hindrances_of(baseline_run, now_run);
  diff.waiver_faults = waiver_faults(now_run.waivers);
  diff.notes = notes_of(baseline.header, now.header);
  for (const ConcludedRun* run : {&baseline_run, &now_run}) {
    diff.notes.insert(diff.notes.end(), run->notes.begin(), run->notes.end());
  }
  std::unordered_map<std::string, const CaseRecord*> before;
  for (const CaseRecord& record : baseline.cases) before.emplace(record.key(), &record);
  std::unordered_set<std::string> keys_now;
  for (const CaseRecord& record : now.cases) {
    keys_now.insert(record.key());
    const auto found = before.find(record.key());
    const bool same_case =
        found != before.end() && found->second->case_sha256 == record.case_sha256;
    if (!same_case) {
      const Change change = !failed(record)         ? Change::added
                            : record.waiver.empty() ? Change::new_failure
                                                    : Change::waived;
      diff.entries.push_back(entry(change, nullptr, &record, record.reason));
      continue;
    }
    ++diff.compared;
    std::optional<DiffEntry> change = compare(*found->second, record);
    before.erase(found);
    if (change) {
      diff.entries.push_back(*std::move(change));
      continue;
    }
    ++diff.same;
    if (failed(record)) ++diff.still_failing;
  }
  for (const CaseRecord& record : baseline.cases) {
    if (!before.contains(record.key())) continue;
    diff.entries.push_back(
        entry(Change::vanished, &record, nullptr,
              keys_now.contains(record.key()) ? "the case of this name is another one now" : ""));
  }
  if (diff.compared == 0) diff.hindrances.emplace_back("no case is in both runs");
  std::stable_sort(diff.entries.begin(), diff.entries.end(),
                   [](const DiffEntry& a, const DiffEntry& b) { return a.change < b.change; });
  return diff;
}

}  // namespace harness
