// Two runs side by side: what a gate asks about a change of kernel, driver or toolkit. Cases are
// paired by key (case, path, device); an id whose spec changed is another case.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/results/verdict/conclusion.hpp"

namespace harness {

enum class Change {
  new_failure,    // fails now and did not (or in another way: a mismatch became an error)
  drift,          // other output bytes than the baseline's, whatever the verdicts
  vanished,       // in the baseline alone
  newly_not_run,  // ran in the baseline, planned and not run now
  fixed,          // passes now and did not
  added,          // new, and does not fail
  waived,         // fails now and did not, and a waiver covers it
};
std::string_view name_of(Change change);

struct DiffEntry {
  Change change = Change::drift;
  std::string key;
  std::string before;  // verdict, "absent" where there is no such case
  std::string now;
  std::string detail;  // the reason now, or both digests
  std::string reproduce;
};

struct Diff {
  std::vector<DiffEntry> entries;  // in the order of Change, then of the plan
  std::uint64_t compared = 0;      // cases of both runs
  std::uint64_t same = 0;          // of those: the same verdict and the same bytes
  std::uint64_t still_failing = 0;
  // Why the two cannot be called the same, whatever their cases say: a run that is incomplete, that
  // was judged by another profile, or nothing to compare.
  std::vector<std::string> hindrances;
  std::vector<std::string> waiver_faults;  // expired, or covering what passes
  std::vector<std::string> notes;  // what differs around the cases: suite, profile, driver, module

  bool identical() const { return entries.empty() && hindrances.empty() && waiver_faults.empty(); }
  std::uint64_t count(Change change) const;
  // 0: identical, or nothing but fixed, added and waived; 1: new failures, drift or stale waivers;
  // 4: vanished, newly not run, or a hindrance.
  int exit_code() const;
};

// Error: the baseline was killed before its end, or is a shard.
Result<Diff> diff_results(const ConcludedRun& baseline, const ConcludedRun& now);

// One object after harness/schema/diff.schema.json.
nlohmann::ordered_json to_json(const Diff& diff);
std::string diff_junit(const Diff& diff);
// A line for each entry, at most `max_listed` of each change, and a last line with the counts.
std::string to_text(const Diff& diff, std::size_t max_listed);

}  // namespace harness
