#include <fmt/format.h>

#include <algorithm>

#include "harness/results/report/report.hpp"

namespace harness {
namespace {

void count(const CaseRecord& record, CaseCounts& counts) {
  ++counts.planned;
  if (!record.waiver.empty()) {
    ++counts.waived;
    return;
  }
  switch (record.verdict) {
    case Verdict::pass:
      ++counts.passed;
      break;
    case Verdict::mismatch:
      ++counts.mismatch;
      break;
    case Verdict::error:
      ++counts.error;
      break;
    case Verdict::not_run:
      ++counts.not_run;
      break;
  }
}

std::vector<SummaryRow> rows_of(const ResultsFile& results) {
  std::vector<SummaryRow> rows;
  const auto row_of = [&](const auto& of) -> SummaryRow& {
    const auto it = std::find_if(rows.begin(), rows.end(), [&](const SummaryRow& row) {
      return row.operation == of.operation && row.path == of.path && row.device == of.device;
    });
    if (it != rows.end()) return *it;
    rows.push_back({of.operation, of.path, of.device, {}, 0, 0, 0});
    return rows.back();
  };
  for (const ImplementationInfo& info : results.header.implementations) {
    if (info.unavailable.empty()) row_of(info);
  }
  for (const CaseRecord& record : results.cases) {
    SummaryRow& row = row_of(record);
    count(record, row.counts);
    row.bytes_compared += record.bytes_compared;
    row.seconds += record.seconds;
    if (record.seconds > 0) {
      row.gigabytes_per_second =
          std::max(row.gigabytes_per_second,
                   static_cast<double>(record.bytes_moved) / record.seconds * 1e-9);
    }
  }
  return rows;
}

std::string sentence_of(const CaseCounts& counts) {
  if (counts.planned == 0) return "Nothing was planned, so nothing is known.";
  std::string text;
  const auto add = [&](std::uint64_t n, std::string_view what) {
    if (n != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, what);
  };
  add(counts.mismatch, "gave wrong bytes");
  add(counts.error, "ended in an error");
  add(counts.not_run, counts.not_run == 1 ? "was not run" : "were not run");
  add(counts.waived, counts.waived == 1 ? "failed and is waived" : "failed and are waived");
  if (text.empty()) {
    return fmt::format("All {} planned cases gave the expected bytes.", counts.planned);
  }
  return fmt::format("Of {} planned cases {}; {} passed.", counts.planned, text, counts.passed);
}

std::vector<std::string> never_executed(const RunHeader& header) {
  std::vector<std::string> lines;
  const auto modules = header.environment.find("modules_never_executed");
  if (modules != header.environment.end() && modules->is_array()) {
    for (const nlohmann::ordered_json& module : *modules) {
      if (module.is_string()) lines.push_back(module.get<std::string>());
    }
  }
  const auto architectures = header.environment.find("assembled_never_executed");
  if (architectures != header.environment.end() && architectures->is_string() &&
      !architectures->get_ref<const std::string&>().empty()) {
    lines.push_back("any module for " + architectures->get<std::string>());
  }
  return lines;
}

}  // namespace

std::string_view status_of(const CaseRecord& record) {
  return record.waiver.empty() ? name_of(record.verdict) : "waived";
}

Summary summarize(const ConcludedRun& run) {
  const ResultsFile& results = run.results;
  Summary summary;
  for (const CaseRecord& record : results.cases) count(record, summary.counts);
  const std::uint64_t planned = results.header.plan_planned;
  if (planned > summary.counts.planned) {
    summary.counts.not_run += planned - summary.counts.planned;
    summary.counts.planned = planned;
  }
  summary.rows = rows_of(results);
  summary.end = run.end;
  summary.sentence = sentence_of(summary.counts);
  summary.never_executed = never_executed(results.header);
  return summary;
}

}  // namespace harness
