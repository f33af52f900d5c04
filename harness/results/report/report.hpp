// Reports of a run: JUnit XML for CI, a text and a JSON summary, and one self-contained HTML page.
// All are made from results that add up, with or without waivers.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/results/verdict/conclusion.hpp"

namespace harness {

struct CaseCounts {
  std::uint64_t planned = 0;
  std::uint64_t passed = 0;
  std::uint64_t mismatch = 0;  // not waived
  std::uint64_t error = 0;     // not waived
  std::uint64_t not_run = 0;   // planned, and not run or without a record
  std::uint64_t waived = 0;
};

struct SummaryRow {
  std::string operation;
  std::string path;
  std::string device;
  CaseCounts counts;  // planned: those that have a record
  std::uint64_t bytes_compared = 0;
  double gigabytes_per_second = 0;  // of the fastest call; 0: not known
  double seconds = 0;               // of all fastest calls
};

// What a run says in short.
struct Summary {
  EndRecord end;         // of a killed run: INCOMPLETE
  std::string sentence;  // "37 of 1024 planned cases gave wrong bytes."
  CaseCounts counts;
  std::vector<SummaryRow> rows;
  // What of the build had only been assembled when the run began, one line each: whole modules,
  // then architectures.
  std::vector<std::string> never_executed;
};
Summary summarize(const ConcludedRun& run);

// What a person calls a case: its verdict, "waived" where a waiver covers it.
std::string_view status_of(const CaseRecord& record);

// One test suite for each operation, path and device, and one with the verdict itself, so that a
// run which is incomplete shows as an error even where every case passed. A waived failure is
// skipped, never passed.
std::string junit_xml(const ConcludedRun& run);

// Failures of one cause are listed together, at most `max_failures` such groups.
std::string text_summary(const ConcludedRun& run, std::size_t max_failures);

// GitHub-flavoured Markdown for a job's summary or a comment; failures of one cause are one
// paragraph, and at most `max_groups` of these are listed.
std::string markdown_report(const ConcludedRun& run, std::size_t max_groups);

// After harness/schema/summary.schema.json.
nlohmann::ordered_json json_summary(const ConcludedRun& run);

// The page works from a file, without a network: style, script and data are in it.
std::string html_report(const ConcludedRun& run);

// Writes these files into `folder`, which exists.
inline constexpr std::array<std::string_view, 4> report_file_names{"report.html", "junit.xml",
                                                                   "summary.json", "summary.txt"};
Status write_report(const std::string& folder, const ConcludedRun& run);

}  // namespace harness
