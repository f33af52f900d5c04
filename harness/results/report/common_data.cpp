#include <fmt/format.h>

#include "harness/results/report/report_data.hpp"

namespace harness {
namespace {

using Json = nlohmann::ordered_json;

Json counts_json(const CaseCounts& counts) {
  return {{"planned", counts.planned}, {"passed", counts.passed},   {"mismatch", counts.mismatch},
          {"error", counts.error},     {"not_run", counts.not_run}, {"waived", counts.waived}};
}

Json row_json(const SummaryRow& row) {
  Json json{{"operation", row.operation}, {"path", row.path}, {"device", row.device}};
  json.update(counts_json(row.counts));
  json["bytes_compared"] = row.bytes_compared;
  json["gigabytes_per_second"] = row.gigabytes_per_second;
  return json;
}

Json waiver_json(const WaiverUse& use) {
  Json problems = Json::array();
  if (use.expired) problems.push_back("expired");
  if (!use.unexpected_passes.empty()) {
    problems.push_back(fmt::format("{} in scope pass", use.unexpected_passes.size()));
  }
  return {{"tracker", use.waiver.tracker},  {"owner", use.waiver.owner},
          {"expires", use.waiver.expires},  {"scope", use.waiver.scope()},
          {"comment", use.waiver.comment},  {"covers", use.covers},
          {"problems", std::move(problems)}};
}

}  // namespace

Json common_data(const ConcludedRun& run) {
  const ResultsFile& results = run.results;
  const Summary summary = summarize(run);
  const RunHeader& header = results.header;
  const Shard& shard = header.selection.shard;
  Json json{
      {"schema", 1},
      {"verdict", name_of(summary.end.verdict)},
      {"exit_code", summary.end.exit_code},
      {"verdict_line", verdict_line(summary.end)},
      {"scope", summary.end.scope},
      {"sentence", summary.sentence},
      {"reasons", summary.end.reasons},
      {"notes", run.notes},
      {"statement", summary.end.statement},
      {"suite", {{"version", header.suite_version}, {"commit", header.suite_commit}}},
      {"started", header.started},
      {"finished", summary.end.finished},
      {"seconds", summary.end.seconds},
      {"level", name_of(header.selection.level)},
      {"profile", header.selection.profile.empty() ? "as declared" : header.selection.profile},
      {"seed", header.selection.seed},
      {"shard", shard.count == 1 ? "" : fmt::format("{}/{}", shard.index, shard.count)},
      {"plan_sha256", header.plan_sha256},
      {"vectors_sha256", header.vectors_sha256},
      {"counts", counts_json(summary.counts)},
      {"rows", Json::array()},
      {"not_run", Json::array()},
      {"coverage", Json::array()},
      {"waivers", Json::array()},
      {"failures", Json::array()},
      {"environment", header.environment},
      {"devices", Json::array()},
      {"implementations", Json::array()}};
  for (const SummaryRow& row : summary.rows) json["rows"].push_back(row_json(row));
  for (const NotRunRecord& record : results.not_run) {
    json["not_run"].push_back({{"operation", record.operation},
                               {"path", record.path},
                               {"device", record.device},
                               {"reason", record.reason},
                               {"requested", record.requested}});
  }
  for (const CoverageRecord& record : results.coverage) {
    json["coverage"].push_back({{"operation", record.operation},
                                {"path", record.path},
                                {"device", record.device},
                                {"judged", record.judged},
                                {"pairs_hit", record.coverage.pairs_hit()},
                                {"missing_bins", record.missing_bins}});
  }
  for (const WaiverUse& use : run.waivers) json["waivers"].push_back(waiver_json(use));
  json["profiles"] = Json::array();
  for (const JudgedProfile& profile : header.profiles) {
    json["profiles"].push_back({{"name", profile.name}, {"sha256", profile.sha256}});
  }
  for (const DeviceInfo& info : header.devices) json["devices"].push_back(to_json(info));
  for (const ImplementationInfo& info : header.implementations) {
    json["implementations"].push_back(to_json(info));
  }
  return json;
}

Json failure_data(const CaseRecord& record) {
  return {{"index", record.index},         {"case", record.case_id},
          {"operation", record.operation}, {"path", record.path},
          {"device", record.device},       {"status", status_of(record)},
          {"reason", record.reason},       {"fault_class", record.diagnosis.fault_class},
          {"reproduce", record.reproduce}, {"waiver", record.waiver}};
}

Json json_summary(const ConcludedRun& run) {
  Json json = common_data(run);
  for (const CaseRecord& record : run.results.cases) {
    if (record.verdict != Verdict::pass) json["failures"].push_back(failure_data(record));
  }
  return json;
}

}  // namespace harness
