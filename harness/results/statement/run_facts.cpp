#include "harness/results/statement/run_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "harness/results/report/report.hpp"
#include "harness/results/verdict/conclusion.hpp"

namespace harness {
namespace {

// Why no statement can be made of the run; empty where one can.
std::string refusal(const ResultsFile& results, const EndRecord& end) {
  const RunHeader& header = results.header;
  if (!results.end) return "the run was killed before its end";
  const bool waived = std::any_of(results.cases.begin(), results.cases.end(),
                                  [](const CaseRecord& record) { return !record.waiver.empty(); });
  if (waived) return "some of its failures are waived";
  if (end.verdict != RunVerdict::conforms || results.end->verdict != RunVerdict::conforms) {
    return fmt::format("its verdict is {}, and must be CONFORMS{}{}", name_of(end.verdict),
                       end.reasons.empty() ? "" : ": ", fmt::join(end.reasons, "; "));
  }
  if (!end.statement || !results.end->statement) {
    return fmt::format("{}", fmt::join(end.reasons, "; "));
  }
  for (const ImplementationInfo& info : header.implementations) {
    if (info.execution == Machinery::native) continue;
    return fmt::format("{} is {}: it says nothing about a processor", info.key(),
                       name_of(info.execution));
  }
  constexpr std::size_t commit_digits = 40;
  if (header.suite_commit.size() != commit_digits) {
    return fmt::format("it was made by a build of the commit '{}', and must be of a clean commit",
                       header.suite_commit);
  }
  return {};
}

}  // namespace

Result<StatedRun> stated_run(std::string_view name, std::string_view text) {
  std::istringstream stream{std::string(text)};
  Result<ResultsFile> results = parse_results(stream, name);
  if (!results) return tl::make_unexpected(results.error());
  const Summary summary = summarize(*results, {});
  const std::string reason = refusal(*results, summary.end);
  if (!reason.empty()) {
    return oracle::fail(ErrorCode::invalid_argument,
                        fmt::format("{}: no statement can be made of it: {}", name, reason));
  }
  const RunHeader& header = results->header;
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (const DeviceInfo& device : header.devices) devices.push_back(to_json(device));
  nlohmann::ordered_json implementations = nlohmann::ordered_json::array();
  for (const ImplementationInfo& info : header.implementations) {
    implementations.push_back(to_json(info));
  }
  nlohmann::ordered_json not_run = nlohmann::ordered_json::array();
  for (const NotRunRecord& record : results->not_run) not_run.push_back(to_json(record));
  nlohmann::ordered_json facts{
      {"verdict", name_of(summary.end.verdict)},
      {"level", name_of(header.selection.level)},
      {"profile", header.selection.profile.empty() ? "as declared" : header.selection.profile},
      {"seed", header.selection.seed},
      {"suite", {{"version", header.suite_version}, {"commit", header.suite_commit}}},
      {"plan", {{"cases", header.plan_total}, {"sha256", header.plan_sha256}}},
      {"vectors_sha256", header.vectors_sha256},
      {"passed", summary.counts.passed},
      {"started", header.started},
      {"finished", summary.end.finished},
      {"environment", header.environment},
      {"devices", std::move(devices)},
      {"implementations", std::move(implementations)},
      {"not_run", std::move(not_run)}};
  return StatedRun{*std::move(results), std::move(facts)};
}

}  // namespace harness
