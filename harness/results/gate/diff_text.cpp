#include <fmt/format.h>

#include <iterator>

#include "harness/results/gate/diff.hpp"

namespace harness {
namespace {

constexpr Change all_changes[] = {Change::new_failure,   Change::drift, Change::vanished,
                                  Change::newly_not_run, Change::fixed, Change::added,
                                  Change::waived};

std::string_view words_for(Change change) {
  switch (change) {
    case Change::new_failure:
      return "NEW FAILURE";
    case Change::drift:
      return "DRIFT";
    case Change::vanished:
      return "VANISHED";
    case Change::newly_not_run:
      return "NEWLY NOT RUN";
    case Change::fixed:
      return "fixed";
    case Change::added:
      return "new";
    case Change::waived:
      return "waived";
  }
  return "";
}

}  // namespace

nlohmann::ordered_json to_json(const Diff& diff) {
  nlohmann::ordered_json counts = nlohmann::ordered_json::object();
  for (const Change change : all_changes) counts[std::string(name_of(change))] = diff.count(change);
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const DiffEntry& entry : diff.entries) {
    entries.push_back({{"change", name_of(entry.change)},
                       {"key", entry.key},
                       {"before", entry.before},
                       {"now", entry.now},
                       {"detail", entry.detail},
                       {"reproduce", entry.reproduce}});
  }
  return {{"schema", 1},
          {"identical", diff.identical()},
          {"exit_code", diff.exit_code()},
          {"compared", diff.compared},
          {"same", diff.same},
          {"still_failing", diff.still_failing},
          {"hindrances", diff.hindrances},
          {"waiver_faults", diff.waiver_faults},
          {"counts", std::move(counts)},
          {"notes", diff.notes},
          {"entries", std::move(entries)}};
}

std::string to_text(const Diff& diff, std::size_t max_listed) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const std::string& note : diff.notes) fmt::format_to(out, "note: {}\n", note);
  for (const Change change : all_changes) {
    std::size_t listed = 0;
    for (const DiffEntry& entry : diff.entries) {
      if (entry.change != change || listed == max_listed) continue;
      ++listed;
      fmt::format_to(out, "{}: {} ({} -> {}){}{}\n", words_for(change), entry.key, entry.before,
                     entry.now, entry.detail.empty() ? "" : ": ", entry.detail);
      if (change == Change::new_failure && !entry.reproduce.empty()) {
        fmt::format_to(out, "  reproduce: {}\n", entry.reproduce);
      }
    }
    if (diff.count(change) > listed) {
      fmt::format_to(out, "{}: {} more not listed\n", words_for(change),
                     diff.count(change) - listed);
    }
  }
  for (const std::string& hindrance : diff.hindrances) {
    fmt::format_to(out, "INCOMPLETE: {}\n", hindrance);
  }
  for (const std::string& fault : diff.waiver_faults) {
    fmt::format_to(out, "STALE WAIVERS: {}\n", fault);
  }
  if (diff.identical()) {
    fmt::format_to(
        out, "identical: {} cases, the same verdicts and the same bytes{}\n", diff.same,
        diff.still_failing == 0 ? "" : fmt::format(", {} still failing", diff.still_failing));
    return text;
  }
  fmt::format_to(out,
                 "{} cases compared, {} the same: {} new failures, {} drifted, {} vanished, {} "
                 "newly not run, {} fixed, {} new, {} waived, {} still failing\n",
                 diff.compared, diff.same, diff.count(Change::new_failure),
                 diff.count(Change::drift), diff.count(Change::vanished),
                 diff.count(Change::newly_not_run), diff.count(Change::fixed),
                 diff.count(Change::added), diff.count(Change::waived), diff.still_failing);
  return text;
}

}  // namespace harness
