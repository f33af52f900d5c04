#include "harness/cli/fuzz_screen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "harness/cli/case_text.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/text_table.hpp"

namespace harness::cli {
namespace {

constexpr std::size_t listed_bins = 8;
constexpr unsigned all_pairs = 4096;

double per_second(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

// The smallest number of pairs that any place of a scale block met, of the places that were met at
// all: the others are no places of this format.
unsigned pairs_at_every_place(const Coverage& coverage) {
  unsigned least = all_pairs;
  for (unsigned place = 0; place < Coverage::max_places; ++place) {
    const unsigned hit = coverage.pairs_hit_at(place);
    if (hit != 0) least = std::min(least, hit);
  }
  return coverage.pairs_hit() == 0 ? 0 : least;
}

// A dash for operations that have no codes and scales.
std::string of_all_pairs(unsigned hit) {
  return hit == 0 ? "-" : fmt::format("{}/{}", hit, all_pairs);
}

std::string tokens(const Coverage& coverage) {
  constexpr std::string_view prefix = "token/";
  const auto hit = std::count_if(coverage.bins().begin(), coverage.bins().end(),
                                 [&](const auto& bin) { return bin.first.starts_with(prefix); });
  return hit == 0 ? "-" : fmt::format("{}", hit);
}

std::string table(const FuzzSummary& summary, const std::vector<NotRunRecord>& not_run) {
  TextTable table({{"operation"},
                   {"path"},
                   {"device"},
                   {"cases", Align::right},
                   {"failing", Align::right},
                   {"kinds", Align::right},
                   {"pairs", Align::right},
                   {"at every place", Align::right},
                   {"tokens", Align::right},
                   {"bins not hit", Align::right}});
  for (const FuzzRow& row : summary.rows) {
    table.add({row.operation, row.path, row.device, fmt::format("{}", row.judged),
               fmt::format("{}", row.mismatches + row.errors), fmt::format("{}", row.kinds),
               of_all_pairs(row.coverage.pairs_hit()),
               of_all_pairs(pairs_at_every_place(row.coverage)), tokens(row.coverage),
               fmt::format("{}", row.missing_bins.size())});
  }
  add_not_run(table, not_run);
  return table.text();
}

// Which edges the cases of an operation did not reach on any implementation.
std::string unreached(const FuzzSummary& summary) {
  std::map<std::string, std::vector<std::string>> missing;  // by operation: in every row of it
  for (const FuzzRow& row : summary.rows) {
    const auto [found, first] = missing.emplace(row.operation, row.missing_bins);
    if (first) continue;
    std::erase_if(found->second, [&](const std::string& bin) {
      return std::find(row.missing_bins.begin(), row.missing_bins.end(), bin) ==
             row.missing_bins.end();
    });
  }
  std::string text;
  for (auto& [operation, bins] : missing) {
    if (bins.empty()) continue;
    const std::size_t more = bins.size() > listed_bins ? bins.size() - listed_bins : 0;
    bins.resize(bins.size() - more);
    text += fmt::format("{}: not hit: {}{}\n", operation, fmt::join(bins, ", "),
                        more == 0 ? "" : fmt::format(" and {} more", more));
  }
  return text;
}

}  // namespace

FuzzScreen::FuzzScreen(const OutputOptions& options, double seconds, std::uint64_t max_cases)
    : json_(options.json),
      color_(options.color && can_show_color()),
      seconds_(seconds),
      max_cases_(max_cases),
      progress_(options.quiet) {}

void FuzzScreen::failure(const FuzzFailure& failure) {
  progress_.clear();
  if (json_) {
    print_json(to_json(failure));
    return;
  }
  std::string text = case_text(failure.record, color_);
  text += fmt::format("  found by: {}", failure.found_by);
  if (failure.tried != 0) {
    text += fmt::format(", {} smaller cases tried{}", failure.tried,
                        failure.smallest ? "" : "; --shrink-time ended before the smallest");
  }
  text += fmt::format("\n  spec: {}\n", failure.spec.dump());
  if (!failure.file.empty()) text += fmt::format("  saved as: {}\n", failure.file.string());
  print(text);
}

void FuzzScreen::progress(const FuzzProgress& progress) {
  if (!progress_.due()) return;
  const double rate = per_second(progress.cases, progress.seconds);
  double left = std::max(seconds_ - progress.seconds, 0.0);
  if (max_cases_ != 0 && rate > 0) {
    left = std::min(left, static_cast<double>(max_cases_ - progress.cases) / rate);
  }
  progress_.show(fmt::format("{} cases, {:.1f}/s, {} judged, {} failing, {} left", progress.cases,
                             rate, progress.judged, progress.failures, clock_time(left)));
}

void FuzzScreen::finish(const FuzzSummary& summary, const std::vector<NotRunRecord>& not_run,
                        std::uint64_t seed, std::string_view word, std::string_view hue) {
  progress_.clear();
  if (json_) {
    nlohmann::ordered_json json = to_json(summary);
    json["seed"] = seed;
    json["verdict"] = word;
    print_json(json);
    return;
  }
  const FuzzProgress& total = summary.total;
  std::string text = total.failures != 0 ? "\n" : "";
  text += table(summary, not_run) + '\n' + unreached(summary);
  for (const FuzzRow& row : summary.rows) {
    if (!row.given_up.empty()) {
      text += fmt::format("{} {} {}: {}\n", row.operation, row.path, row.device, row.given_up);
    }
  }
  if (summary.replayed != 0) {
    text += fmt::format("saved failures: {} replayed, {} still fail\n", summary.replayed,
                        summary.still_fail);
  }
  text += fmt::format(
      "{} random cases, {} judged in {:.1f} s: {:.1f} cases/s, {:.1f} judged/s; "
      "--seed {}\n",
      total.cases, total.judged, total.seconds, per_second(total.cases, total.seconds),
      per_second(total.judged, total.seconds), seed);
  text += painted(word, hue, color_) + '\n';
  print(text);
}

}  // namespace harness::cli
