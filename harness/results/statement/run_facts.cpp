#include "harness/results/statement/run_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "harness/results/statement/claim.hpp"

namespace harness {
namespace {

// Why no statement can be made of the run; empty where one can.
std::string refusal(const ConcludedRun& run, const SuiteKnowledge& knowledge) {
  const ResultsFile& results = run.results;
  if (!results.end) return "the run was killed before its end";
  if (run.end.verdict != RunVerdict::conforms) {
    return fmt::format("its verdict is {}, and must be CONFORMS: {}", name_of(run.end.verdict),
                       fmt::join(run.end.reasons, "; "));
  }
  if (!run.end.statement) return fmt::format("{}", fmt::join(run.end.reasons, "; "));
  const std::string& commit = results.header.suite_commit;
  constexpr std::size_t commit_digits = 40;
  if (commit.size() != commit_digits) {
    return fmt::format("it was made by a build of the commit '{}', and must be of a clean commit",
                       commit);
  }
  // Only a build of that commit knows what its cases are.
  if (commit != knowledge.commit.substr(0, commit_digits)) {
    return fmt::format("it was made by a build of the commit {}, and this is one of {}", commit,
                       knowledge.commit);
  }
  return {};
}

nlohmann::ordered_json profiles_json(const RunHeader& header, const SuiteKnowledge& knowledge) {
  nlohmann::ordered_json profiles = nlohmann::ordered_json::array();
  const auto by_default =
      knowledge.shipped_profile ? knowledge.shipped_profile("ocp") : std::nullopt;
  for (const JudgedProfile& profile : header.profiles) {
    profiles.push_back(
        {{"name", profile.name},
         {"sha256", profile.sha256},
         {"beside_the_default", by_default ? profile_differences(profile.contents, *by_default)
                                           : std::vector<std::string>{}},
         {"contents", profile.contents}});
  }
  return profiles;
}

}  // namespace

Result<StatedRun> stated_run(std::string_view name, std::string_view text,
                             const SuiteKnowledge& knowledge) {
  std::istringstream stream{std::string(text)};
  Result<ResultsFile> results = parse_results(stream, name);
  if (!results) return tl::make_unexpected(results.error());
  Result<ConcludedRun> run = conclude(*std::move(results), name, knowledge);
  if (!run) return tl::make_unexpected(run.error());
  const std::string reason = refusal(*run, knowledge);
  if (!reason.empty()) {
    return oracle::fail(ErrorCode::invalid_argument,
                        fmt::format("{}: no statement can be made of it: {}", name, reason));
  }
  const RunHeader& header = run->results.header;
  const Claim claim = claim_of(*run, knowledge);
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (const DeviceInfo& device : header.devices) devices.push_back(to_json(device));
  nlohmann::ordered_json implementations = nlohmann::ordered_json::array();
  for (const ImplementationInfo& info : header.implementations) {
    implementations.push_back(to_json(info));
  }
  nlohmann::ordered_json not_run = nlohmann::ordered_json::array();
  for (const NotRunRecord& record : run->results.not_run) not_run.push_back(to_json(record));
  nlohmann::ordered_json facts{
      {"claim", claim.sentence},
      {"verdict", name_of(run->end.verdict)},
      {"scope", run->end.scope},
      {"judged", claim.judged},
      {"not_judged", claim.not_judged},
      {"level", name_of(header.selection.level)},
      {"profiles", profiles_json(header, knowledge)},
      {"seed", header.selection.seed},
      {"suite", {{"version", header.suite_version}, {"commit", header.suite_commit}}},
      {"plan", {{"cases", header.plan_total}, {"sha256", header.plan_sha256}}},
      {"vectors_sha256", header.vectors_sha256},
      {"passed", run->end.verified},
      {"started", header.started},
      {"finished", run->end.finished},
      {"environment", header.environment},
      {"devices", std::move(devices)},
      {"implementations", std::move(implementations)},
      {"not_run", std::move(not_run)}};
  return StatedRun{*std::move(run), std::move(facts)};
}

}  // namespace harness
