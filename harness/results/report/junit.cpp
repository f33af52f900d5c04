#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

#include "harness/results/report/report.hpp"
#include "harness/results/report/xml.hpp"

namespace harness {
namespace {

using xml::add_text;
using xml::set;

// Jenkins' schema takes any text as the time of a test, and at most three decimals of a suite's.
void set_seconds(pugi::xml_node node, double seconds) {
  const bool test = std::string_view(node.name()) == "testcase";
  set(node, "time", fmt::format("{:.{}f}", seconds, test ? 6 : 3));
}

void add_property(pugi::xml_node properties, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  pugi::xml_node property = properties.append_child("property");
  set(property, "name", name);
  set(property, "value", value);
}

std::string details(const CaseRecord& record) {
  constexpr std::size_t listed = 8;
  const Diagnosis& diagnosis = record.diagnosis;
  std::string text = record.reason + '\n';
  if (!diagnosis.explanation.empty()) text += diagnosis.explanation + '\n';
  if (!diagnosis.matching_profile.empty()) {
    text += fmt::format("all bytes agree with the profile {}\n", diagnosis.matching_profile);
  }
  for (std::size_t i = 0; i < std::min(listed, diagnosis.first.size()); ++i) {
    text += diagnosis.first[i].text + '\n';
  }
  if (diagnosis.mismatches > listed) {
    text += fmt::format("{} wrong elements in all\n", diagnosis.mismatches);
  }
  for (const Trespass& trespass : record.trespasses) {
    text += fmt::format("{}, {}: {} bytes changed, the first at byte {}\n", trespass.tensor,
                        trespass.region, trespass.count, trespass.byte);
  }
  return text;
}

void add_case(pugi::xml_node suite, const CaseRecord& record) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", fmt::format("{}.{}.{}", record.operation, record.path, record.device));
  set(test, "name", record.case_id);
  set_seconds(test, record.seconds);
  if (!record.waiver.empty()) {
    set(test.append_child("skipped"), "message",
        fmt::format("waived, {}: {}", record.waiver, record.reason));
  } else if (record.verdict == Verdict::not_run) {
    set(test.append_child("skipped"), "message", record.reason);
  } else if (record.verdict != Verdict::pass) {
    const bool mismatch = record.verdict == Verdict::mismatch;
    pugi::xml_node outcome = test.append_child(mismatch ? "failure" : "error");
    set(outcome, "message", record.reason);
    set(outcome, "type",
        record.diagnosis.fault_class.empty() ? name_of(record.verdict)
                                             : std::string_view(record.diagnosis.fault_class));
    add_text(outcome, details(record));
  }
  if (record.verdict != Verdict::pass && !record.reproduce.empty()) {
    add_text(test.append_child("system-out"), "reproduce: " + record.reproduce + '\n');
  }
}

void add_counts(pugi::xml_node node, const CaseCounts& counts, std::uint64_t extra_tests,
                std::uint64_t extra_errors) {
  set(node, "tests", counts.planned + extra_tests);
  set(node, "failures", counts.mismatch);
  set(node, "errors", counts.error + extra_errors);
  // Jenkins' schema has no such attribute for all suites together.
  if (std::string_view(node.name()) != "testsuites") {
    set(node, "skipped", counts.not_run + counts.waived);
  }
}

void add_run_properties(pugi::xml_node suite, const RunHeader& header, const Summary& summary) {
  pugi::xml_node properties = suite.append_child("properties");
  add_property(properties, "suite", header.suite_version);
  add_property(properties, "commit", header.suite_commit);
  add_property(properties, "level", name_of(header.selection.level));
  add_property(properties, "seed", std::to_string(header.selection.seed));
  add_property(properties, "profile", header.selection.profile);
  add_property(properties, "plan_sha256", header.plan_sha256);
  add_property(properties, "vectors_sha256", header.vectors_sha256);
  for (const DeviceInfo& info : header.devices) {
    add_property(properties, "device " + info.name, info.description);
  }
  for (const std::string& line : summary.never_executed) {
    add_property(properties, "assembled, never executed", line);
  }
}

void add_row_properties(pugi::xml_node suite, const RunHeader& header, const SummaryRow& row) {
  pugi::xml_node properties = suite.append_child("properties");
  for (const ImplementationInfo& info : header.implementations) {
    if (info.operation != row.operation || info.path != row.path || info.device != row.device) {
      continue;
    }
    add_property(properties, "origin", info.origin);
    add_property(properties, "profile", info.profile);
    add_property(properties, "toolkit", info.toolkit);
    add_property(properties, "module_sha256", info.module_sha256);
  }
  for (const DeviceInfo& info : header.devices) {
    if (info.name == row.device) add_property(properties, "device", info.description);
  }
}

}  // namespace

std::string junit_xml(const ConcludedRun& run) {
  const ResultsFile& results = run.results;
  const Summary summary = summarize(run);
  const bool bad = summary.end.exit_code != 0;
  pugi::xml_document document = xml::document();
  pugi::xml_node suites = document.append_child("testsuites");
  set(suites, "name", "fp4cts");
  CaseCounts recorded;
  double seconds = 0;
  for (const SummaryRow& row : summary.rows) {
    recorded.planned += row.counts.planned;
    recorded.mismatch += row.counts.mismatch;
    recorded.error += row.counts.error;
    recorded.not_run += row.counts.not_run;
    recorded.waived += row.counts.waived;
    seconds += row.seconds;
  }
  add_counts(suites, recorded, 1, bad ? 1 : 0);
  set_seconds(suites, seconds);

  pugi::xml_node verdict = suites.append_child("testsuite");
  set(verdict, "name", "verdict");
  add_counts(verdict, {}, 1, bad ? 1 : 0);
  set(verdict, "timestamp", results.header.started.substr(0, 19));
  add_run_properties(verdict, results.header, summary);
  pugi::xml_node test = verdict.append_child("testcase");
  set(test, "classname", "fp4cts");
  set(test, "name", "verdict");
  const std::string word = verdict_line(summary.end);
  if (bad) {
    pugi::xml_node error = test.append_child("error");
    set(error, "message", word + ": " + summary.sentence);
    set(error, "type", name_of(summary.end.verdict));
    add_text(error, fmt::format("{}\n", fmt::join(summary.end.reasons, "\n")));
  }
  add_text(test.append_child("system-out"), word + ": " + summary.sentence + '\n');

  for (const SummaryRow& row : summary.rows) {
    pugi::xml_node suite = suites.append_child("testsuite");
    set(suite, "name", fmt::format("{} {} {}", row.operation, row.path, row.device));
    add_counts(suite, row.counts, 0, 0);
    set_seconds(suite, row.seconds);
    set(suite, "timestamp", results.header.started.substr(0, 19));
    add_row_properties(suite, results.header, row);
    for (const CaseRecord& record : results.cases) {
      if (record.operation == row.operation && record.path == row.path &&
          record.device == row.device) {
        add_case(suite, record);
      }
    }
  }
  return xml::text_of(document);
}

}  // namespace harness
