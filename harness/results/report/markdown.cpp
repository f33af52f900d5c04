// The run as GitHub-flavoured Markdown: for $GITHUB_STEP_SUMMARY and for comments on merge
// requests.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/results/report/failure_groups.hpp"
#include "harness/results/report/report.hpp"

namespace harness {
namespace {

// Text that means nothing but itself, also in a table's cell.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>()#+!|~&").find(c) != std::string_view::npos) result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

// A code block's fence is longer than any run of backticks in it.
std::string fenced(std::string_view text) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fmt::format("{}\n{}\n{}\n", fence, text, fence);
}

void add_rows(const Summary& summary, const ResultsFile& results, std::string& text) {
  const auto out = std::back_inserter(text);
  text +=
      "| operation | path | device | planned | passed | mismatch | error | not run | waived |\n"
      "|---|---|---|--:|--:|--:|--:|--:|--:|\n";
  for (const SummaryRow& row : summary.rows) {
    const CaseCounts& counts = row.counts;
    fmt::format_to(out, "| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", plain(row.operation),
                   plain(row.path), plain(row.device), counts.planned, counts.passed,
                   counts.mismatch, counts.error, counts.not_run, counts.waived);
  }
  if (results.not_run.empty()) return;
  text += "\nNot run:\n";
  for (const NotRunRecord& record : results.not_run) {
    fmt::format_to(out, "- {} {} {}: {}\n",
                   record.operation.empty() ? "every operation" : plain(record.operation),
                   record.path.empty() ? "by every path" : plain(record.path),
                   record.device.empty() ? "on every device" : "on " + plain(record.device),
                   plain(record.reason));
  }
}

void add_group(const FailureGroup& group, std::string& text) {
  constexpr std::size_t listed = 10;
  const auto out = std::back_inserter(text);
  const CaseRecord& first = *group.records.front();
  fmt::format_to(
      out, "\n#### {}{}: {} of {}\n{}\n", group.status,
      group.fault_class.empty() ? "" : ", " + plain(group.fault_class),
      group.records.size() == 1 ? "1 case" : fmt::format("{} cases", group.records.size()),
      plain(group.row), plain(first.reason));
  if (!first.diagnosis.explanation.empty()) {
    fmt::format_to(out, "\n{}\n", plain(first.diagnosis.explanation));
  }
  if (!first.diagnosis.first.empty()) {
    fmt::format_to(out, "\n{}", fenced(first.diagnosis.first.front().text));
  }
  if (!first.reproduce.empty()) fmt::format_to(out, "\n{}", fenced(first.reproduce));
  if (group.records.size() == 1) return;
  text += "\n<details><summary>cases</summary>\n\n";
  for (std::size_t i = 0; i < std::min(listed, group.records.size()); ++i) {
    fmt::format_to(out, "- {}\n", plain(group.records[i]->case_id));
  }
  if (group.records.size() > listed) {
    fmt::format_to(out, "- and {} more\n", group.records.size() - listed);
  }
  text += "\n</details>\n";
}

}  // namespace

std::string markdown_report(const ConcludedRun& run, std::size_t max_groups) {
  const Summary summary = summarize(run);
  const RunHeader& header = run.results.header;
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "### fp4cts: {}\n\n{}\n\n", plain(verdict_line(summary.end)),
                 plain(summary.sentence));
  for (const auto* lines : {&summary.end.reasons, &run.notes}) {
    for (const std::string& line : *lines) fmt::format_to(out, "- {}\n", plain(line));
  }
  fmt::format_to(out, "\nLevel {}, seed {}, suite {} ({})\n\n", name_of(header.selection.level),
                 header.selection.seed, plain(header.suite_version),
                 plain(header.suite_commit.substr(0, 12)));
  add_rows(summary, run.results, text);
  if (!summary.never_executed.empty()) {
    text += "\nAssembled, never executed:\n";
    for (const std::string& line : summary.never_executed) {
      fmt::format_to(out, "- {}\n", plain(line));
    }
  }
  const std::vector<FailureGroup> groups = failure_groups(run.results);
  for (std::size_t i = 0; i < std::min(max_groups, groups.size()); ++i) add_group(groups[i], text);
  if (groups.size() > max_groups) {
    fmt::format_to(out, "\n{} more kinds of failure are not listed.\n", groups.size() - max_groups);
  }
  return text;
}

}  // namespace harness
