// A diff as JUnit XML: one test for each change and one for the diff itself, so that a gate which
// reads nothing else is red exactly where the exit code is not 0.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/results/gate/diff.hpp"
#include "harness/results/report/xml.hpp"

namespace harness {
namespace {

enum class Outcome { passed, failure, error, skipped };

Outcome outcome_of(Change change) {
  switch (change) {
    case Change::new_failure:
    case Change::drift:
      return Outcome::failure;
    case Change::vanished:
    case Change::newly_not_run:
      return Outcome::error;
    case Change::waived:
      return Outcome::skipped;
    case Change::fixed:
    case Change::added:
      break;
  }
  return Outcome::passed;
}

void add_outcome(pugi::xml_node test, Outcome outcome, std::string_view type,
                 const std::string& message, const std::string& text) {
  if (outcome == Outcome::passed) return;
  if (outcome == Outcome::skipped) {
    xml::set(test.append_child("skipped"), "message", std::string_view(message));
    return;
  }
  pugi::xml_node node = test.append_child(outcome == Outcome::failure ? "failure" : "error");
  xml::set(node, "message", std::string_view(message));
  xml::set(node, "type", type);
  xml::add_text(node, text);
}

}  // namespace

std::string diff_junit(const Diff& diff) {
  pugi::xml_document document = xml::document();
  pugi::xml_node suites = document.append_child("testsuites");
  pugi::xml_node suite = suites.append_child("testsuite");
  std::uint64_t failures = 0;
  std::uint64_t errors = 0;
  std::uint64_t skipped = 0;
  const auto add = [&](const std::string& classname, const std::string& name) {
    pugi::xml_node test = suite.append_child("testcase");
    xml::set(test, "classname", std::string_view(classname));
    xml::set(test, "name", std::string_view(name));
    return test;
  };
  pugi::xml_node whole = add("fp4cts", "diff");
  std::vector<std::string> lines = diff.hindrances;
  lines.insert(lines.end(), diff.waiver_faults.begin(), diff.waiver_faults.end());
  if (diff.exit_code() != 0) {
    ++errors;
    add_outcome(
        whole, Outcome::error, "diff",
        fmt::format("exit code {}: {} new failures, {} drifted, {} vanished, {} newly not "
                    "run, {} hindrances, {} stale waivers",
                    diff.exit_code(), diff.count(Change::new_failure), diff.count(Change::drift),
                    diff.count(Change::vanished), diff.count(Change::newly_not_run),
                    diff.hindrances.size(), diff.waiver_faults.size()),
        fmt::format("{}\n", fmt::join(lines, "\n")));
  }
  for (const DiffEntry& entry : diff.entries) {
    const Outcome outcome = outcome_of(entry.change);
    failures += outcome == Outcome::failure ? 1U : 0U;
    errors += outcome == Outcome::error ? 1U : 0U;
    skipped += outcome == Outcome::skipped ? 1U : 0U;
    pugi::xml_node test = add(fmt::format("fp4cts.diff.{}", name_of(entry.change)), entry.key);
    add_outcome(test, outcome, name_of(entry.change),
                fmt::format("{} -> {}: {}", entry.before, entry.now, entry.detail),
                entry.reproduce.empty() ? "" : fmt::format("reproduce: {}\n", entry.reproduce));
  }
  for (pugi::xml_node node : {suites, suite}) {
    xml::set(node, "name", std::string_view("fp4cts diff"));
    xml::set(node, "tests", std::uint64_t{diff.entries.size() + 1});
    xml::set(node, "failures", failures);
    xml::set(node, "errors", errors);
    if (node == suite) xml::set(node, "skipped", skipped);
  }
  return xml::text_of(document);
}

}  // namespace harness
