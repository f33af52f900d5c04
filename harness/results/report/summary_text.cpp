#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "harness/results/report/failure_groups.hpp"
#include "harness/results/report/report.hpp"

namespace harness {
namespace {

std::string counts_of(const CaseCounts& counts) {
  return fmt::format("{:>8} {:>8} {:>9} {:>6} {:>8} {:>7}", counts.planned, counts.passed,
                     counts.mismatch, counts.error, counts.not_run, counts.waived);
}

// The name, "every operation" for an empty one.
std::string or_every(const std::string& name, std::string_view what) {
  return name.empty() ? fmt::format("every {}", what) : name;
}

// The first of the group as a whole, the others by name.
std::string describe(const FailureGroup& group) {
  constexpr std::size_t named = 3;
  const CaseRecord& first = *group.records.front();
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "  {}: {}: {}{}\n", group.status, first.key(), first.reason,
                 first.waiver.empty() ? "" : fmt::format(" ({})", first.waiver));
  if (!first.reproduce.empty()) fmt::format_to(out, "    reproduce: {}\n", first.reproduce);
  if (group.records.size() == 1) return text;
  fmt::format_to(out, "    and {} more of {} {}{}:", group.records.size() - 1, group.row,
                 group.status, group.fault_class.empty() ? "" : " " + group.fault_class);
  for (std::size_t i = 1; i < std::min(group.records.size(), named + 1); ++i) {
    fmt::format_to(out, " {}", group.records[i]->case_id);
  }
  return text + (group.records.size() > named + 1 ? " ...\n" : "\n");
}

}  // namespace

std::string text_summary(const ConcludedRun& run, std::size_t max_failures) {
  const ResultsFile& results = run.results;
  const Summary summary = summarize(run);
  const RunHeader& header = results.header;
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "fp4cts {} ({}), level {}, profile {}, seed {}", header.suite_version,
                 header.suite_commit.substr(0, 12), name_of(header.selection.level),
                 header.selection.profile.empty() ? "as declared" : header.selection.profile,
                 header.selection.seed);
  if (header.selection.shard.count > 1) {
    fmt::format_to(out, ", shard {}/{}", header.selection.shard.index,
                   header.selection.shard.count);
  }
  text += '\n';
  for (const DeviceInfo& device : header.devices) {
    fmt::format_to(out, "{}: {}\n", device.name, device.description);
  }
  std::size_t operation_width = std::string_view("operation").size();
  std::size_t path_width = std::string_view("path").size();
  std::size_t device_width = std::string_view("device").size();
  const auto widen = [&](const auto& rows) {
    for (const auto& row : rows) {
      operation_width = std::max(operation_width, or_every(row.operation, "operation").size());
      path_width = std::max(path_width, or_every(row.path, "path").size());
      device_width = std::max(device_width, or_every(row.device, "device").size());
    }
  };
  widen(summary.rows);
  widen(results.not_run);
  const auto line = [&](std::string_view operation, std::string_view path, std::string_view device,
                        std::string_view rest) {
    fmt::format_to(out, "{:<{}}  {:<{}}  {:<{}} {}\n", operation, operation_width, path, path_width,
                   device, device_width, rest);
  };
  text += '\n';
  line("operation", "path", "device",
       " planned   passed  mismatch  error  not run  waived  bytes compared     GB/s");
  for (const SummaryRow& row : summary.rows) {
    line(row.operation, row.path, row.device,
         fmt::format(
             "{} {:>15} {:>8}", counts_of(row.counts), row.bytes_compared,
             row.gigabytes_per_second > 0 ? fmt::format("{:.3f}", row.gigabytes_per_second) : "-"));
  }
  for (const NotRunRecord& record : results.not_run) {
    line(
        or_every(record.operation, "operation"), or_every(record.path, "path"),
        or_every(record.device, "device"),
        fmt::format(" not run{}: {}", record.requested ? ", though asked for" : "", record.reason));
  }

  if (!summary.never_executed.empty()) {
    fmt::format_to(out, "\nassembled, never executed: {}\n",
                   fmt::join(summary.never_executed, "; "));
  }
  std::map<std::string, std::uint64_t> classes;
  for (const CaseRecord& record : results.cases) {
    if (record.verdict == Verdict::mismatch) ++classes[record.diagnosis.fault_class];
  }
  if (!classes.empty()) text += "\nmismatches by class:\n";
  for (const auto& [name, count] : classes) {
    fmt::format_to(out, "  {:>6} {}\n", count, name.empty() ? "no class" : name);
  }
  const std::vector<FailureGroup> groups = failure_groups(results);
  if (!groups.empty() && max_failures != 0) text += "\nnot passed:\n";
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i < max_failures) {
      text += describe(groups[i]);
    } else {
      left_out += groups[i].records.size();
    }
  }
  if (left_out != 0) fmt::format_to(out, "  {} more not listed\n", left_out);
  for (const CoverageRecord& record : results.coverage) {
    if (record.missing_bins.empty()) continue;
    fmt::format_to(out, "coverage: {} {} {} did not hit: {}\n", record.operation, record.path,
                   record.device, fmt::join(record.missing_bins, ", "));
  }
  for (const WaiverUse& use : run.waivers) {
    fmt::format_to(out, "waiver: {} ({}, until {}) covers {}{}\n", use.waiver.tracker,
                   use.waiver.owner, use.waiver.expires, use.covers,
                   use.expired ? ", EXPIRED"
                   : use.unexpected_passes.empty()
                       ? ""
                       : fmt::format(", {} in its scope PASS", use.unexpected_passes.size()));
  }
  text += '\n';
  for (const std::string& note : run.notes) fmt::format_to(out, "note: {}\n", note);
  for (const std::string& reason : summary.end.reasons) fmt::format_to(out, "{}\n", reason);
  fmt::format_to(out, "{}: {}\n", verdict_line(summary.end), summary.sentence);
  return text;
}

}  // namespace harness
