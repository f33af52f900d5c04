#include "harness/results/statement/statement.hpp"

#include <fmt/format.h>

#include "harness/files/sha256.hpp"
#include "harness/results/report/report.hpp"
#include "harness/results/statement/run_facts.hpp"
#include "harness/results/statement/ustar.hpp"

namespace harness {
namespace {

constexpr const char* readme = R"(This is a conformance statement of fp4cts.

statement.json        what was run, on what, and the SHA-256 of every other file
run-N/results.jsonl   one record for each case, as the suite wrote it
run-N/report.html     the same for a person; junit.xml, summary.json, summary.txt beside it
vectors/MANIFEST.json the golden vectors that the run had, where it had any
SHA256SUMS            the digests again, for `sha256sum --check SHA256SUMS`

`fp4cts statement verify FILE` checks all of it without a network: the form of the archive, every
digest, that the verdict follows from the records and their bytes are the right ones, and that
everything else in here is what those records give.
)";

void add_run(const StatedRun& run, const std::string& text, const std::string& folder,
             std::vector<ArchiveEntry>& entries) {
  constexpr std::size_t max_failures = 1000;
  entries.push_back({folder + "/results.jsonl", text});
  entries.push_back({folder + "/report.html", html_report(run.run)});
  entries.push_back({folder + "/junit.xml", junit_xml(run.run)});
  entries.push_back({folder + "/summary.json", json_summary(run.run).dump(2) + '\n'});
  entries.push_back({folder + "/summary.txt", text_summary(run.run, max_failures)});
}

}  // namespace

Result<std::string> make_statement(std::span<const ResultsText> results,
                                   const std::optional<std::string>& manifest,
                                   const SuiteKnowledge& knowledge,
                                   std::vector<std::string>* notes) {
  const auto refuse = [](std::string message) {
    return oracle::fail(ErrorCode::invalid_argument, "statement: " + std::move(message));
  };
  if (results.empty()) return refuse("no results were given");
  const std::string manifest_sha256 = manifest ? sha256_hex(*manifest) : std::string();
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  std::vector<ArchiveEntry> entries{{"README.txt", readme}};
  for (const ResultsText& each : results) {
    Result<StatedRun> run = stated_run(each.name, each.text, knowledge);
    if (!run) return refuse(run.error().message);
    if (notes != nullptr) {
      notes->insert(notes->end(), run->run.notes.begin(), run->run.notes.end());
    }
    run->run.notes.clear();
    const std::string folder = fmt::format("run-{}", runs.size() + 1);
    const std::string& vectors = run->run.results.header.vectors_sha256;
    if (vectors != manifest_sha256) {
      return refuse(fmt::format(
          "{}: the vector manifest of the run has SHA-256 {}, the one given {}", each.name,
          vectors.empty() ? "none" : vectors, manifest ? manifest_sha256 : "none"));
    }
    add_run(*run, each.text, folder, entries);
    runs.push_back({{"folder", folder}, {"facts", std::move(run->facts)}});
  }
  if (manifest) entries.push_back({"vectors/MANIFEST.json", *manifest});

  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const ArchiveEntry& entry : entries) {
    files.push_back(
        {{"name", entry.name}, {"bytes", entry.bytes.size()}, {"sha256", sha256_hex(entry.bytes)}});
  }
  const nlohmann::ordered_json statement{{"schema", 1},
                                         {"verdict", "CONFORMS"},
                                         {"runs", std::move(runs)},
                                         {"files", std::move(files)}};
  entries.insert(entries.begin(), {"statement.json", statement.dump(2) + '\n'});
  std::string sums;
  for (const ArchiveEntry& entry : entries) {
    sums += fmt::format("{}  {}\n", sha256_hex(entry.bytes), entry.name);
  }
  entries.push_back({"SHA256SUMS", std::move(sums)});
  return write_ustar(entries);
}

}  // namespace harness
