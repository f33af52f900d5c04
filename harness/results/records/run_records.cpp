// The records about a run as a whole, as JSON: header, rows not run, boards, coverage, end.
#include <fmt/ranges.h>

#include <array>

#include "harness/results/records/record_reader.hpp"
#include "harness/results/records/results.hpp"

namespace harness {

namespace {

constexpr std::array<std::string_view, 6> run_verdict_names{
    "CONFORMS", "MISMATCH", "ERROR", "INCOMPLETE", "WAIVED", "STALE WAIVERS"};

nlohmann::ordered_json selection_to_json(const Selection& selection) {
  return {{"devices", selection.devices},
          {"operations", selection.operations},
          {"paths", selection.paths},
          {"filters", selection.filters},
          {"excludes", selection.excludes},
          {"level", name_of(selection.level)},
          {"seed", selection.seed},
          {"profile", selection.profile},
          {"libraries", selection.libraries},
          {"programs", selection.programs},
          {"modules", selection.modules},
          {"shard", {{"index", selection.shard.index}, {"count", selection.shard.count}}}};
}

Result<Shard> shard_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  const Shard shard{reader.count("index"), reader.count("count")};
  if (shard.index >= shard.count) {
    reader.fault("index", fmt::format("expected less than {}, got {}", shard.count, shard.index));
  }
  return reader.finish(shard);
}

Result<Selection> selection_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  Selection selection;
  selection.devices = reader.texts("devices");
  selection.operations = reader.texts("operations");
  selection.paths = reader.texts("paths");
  selection.filters = reader.texts("filters");
  selection.excludes = reader.texts("excludes");
  selection.level = reader.named("level", level_named, "smoke, standard, full, exhaustive");
  selection.seed = reader.count("seed");
  selection.profile = reader.text("profile");
  selection.libraries = reader.texts("libraries");
  selection.programs = reader.texts("programs");
  selection.modules = reader.texts("modules");
  selection.shard =
      reader.taken("shard", shard_from_json(reader.object("shard"), reader.place_of("shard")));
  return reader.finish(std::move(selection));
}

nlohmann::ordered_json row_to_json(const ResultRow& row) {
  return {{"operation", row.operation},
          {"path", row.path},
          {"device", row.device},
          {"planned", row.planned},
          {"run", row.run},
          {"passed", row.passed},
          {"mismatches", row.mismatches},
          {"errors", row.errors},
          {"waived", row.waived},
          {"bytes_compared", row.bytes_compared},
          {"gigabytes_per_second", row.gigabytes_per_second}};
}

Result<ResultRow> row_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  ResultRow row;
  row.operation = reader.text("operation");
  row.path = reader.text("path");
  row.device = reader.text("device");
  row.planned = reader.count("planned");
  row.run = reader.count("run");
  row.passed = reader.count("passed");
  row.mismatches = reader.count("mismatches");
  row.errors = reader.count("errors");
  row.waived = reader.count("waived");
  row.bytes_compared = reader.count("bytes_compared");
  row.gigabytes_per_second = reader.number("gigabytes_per_second");
  return reader.finish(std::move(row));
}

nlohmann::ordered_json profile_to_json(const JudgedProfile& profile) {
  return {{"name", profile.name}, {"sha256", profile.sha256}, {"contents", profile.contents}};
}

Result<JudgedProfile> profile_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  JudgedProfile profile;
  profile.name = reader.text("name");
  profile.sha256 = reader.text("sha256");
  profile.contents = reader.object("contents");
  return reader.finish(std::move(profile));
}

Result<IdleGpu> idle_gpu_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  IdleGpu gpu;
  gpu.kind = reader.text("kind");
  gpu.what = reader.text("what");
  return reader.finish(std::move(gpu));
}

}  // namespace

std::string verdict_line(const EndRecord& end) {
  std::string line(name_of(end.verdict));
  const bool green = end.verdict == RunVerdict::conforms || end.verdict == RunVerdict::waived;
  if (green && !end.scope.empty()) line += fmt::format(" on {}", fmt::join(end.scope, ", "));
  return line;
}

std::string_view name_of(RunVerdict verdict) {
  return run_verdict_names[static_cast<std::size_t>(verdict)];
}

std::optional<RunVerdict> run_verdict_named(std::string_view name) {
  for (std::size_t i = 0; i < run_verdict_names.size(); ++i) {
    if (run_verdict_names[i] == name) return static_cast<RunVerdict>(i);
  }
  return std::nullopt;
}

nlohmann::ordered_json to_json(const RunHeader& header) {
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (const DeviceInfo& device : header.devices) devices.push_back(to_json(device));
  nlohmann::ordered_json implementations = nlohmann::ordered_json::array();
  for (const ImplementationInfo& info : header.implementations) {
    implementations.push_back(to_json(info));
  }
  nlohmann::ordered_json profiles = nlohmann::ordered_json::array();
  for (const JudgedProfile& profile : header.profiles) profiles.push_back(profile_to_json(profile));
  nlohmann::ordered_json idle_gpus = nlohmann::ordered_json::array();
  for (const IdleGpu& gpu : header.idle_gpus) {
    idle_gpus.push_back({{"kind", gpu.kind}, {"what", gpu.what}});
  }
  return {
      {"record", "header"},
      {"schema", results_schema_version},
      {"suite",
       {{"name", "fp4cts"}, {"version", header.suite_version}, {"commit", header.suite_commit}}},
      {"started", header.started},
      {"selection", selection_to_json(header.selection)},
      {"plan",
       {{"total", header.plan_total},
        {"planned", header.plan_planned},
        {"sha256", header.plan_sha256},
        {"not_run", header.not_run_rows}}},
      {"environment", header.environment},
      {"devices", std::move(devices)},
      {"idle_gpus", std::move(idle_gpus)},
      {"implementations", std::move(implementations)},
      {"profiles", std::move(profiles)},
      {"vectors_sha256", header.vectors_sha256}};
}

Result<RunHeader> header_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  reader.text("record");
  if (const std::uint64_t schema = reader.count("schema"); schema != results_schema_version) {
    reader.fault("schema", fmt::format("expected {}, which this suite reads, got {}",
                                       results_schema_version, schema));
  }
  RunHeader header;
  RecordReader suite(reader.object("suite"), reader.place_of("suite"));
  suite.text("name");
  header.suite_version = suite.text("version");
  header.suite_commit = suite.text("commit");
  reader.taken("suite", suite.finish(true));
  header.started = reader.text("started");
  header.selection = reader.taken(
      "selection", selection_from_json(reader.object("selection"), reader.place_of("selection")));
  RecordReader plan(reader.object("plan"), reader.place_of("plan"));
  header.plan_total = plan.count("total");
  header.plan_planned = plan.count("planned");
  header.plan_sha256 = plan.text("sha256");
  header.not_run_rows = plan.count("not_run");
  reader.taken("plan", plan.finish(true));
  header.environment = reader.object("environment");
  header.devices = reader.each("devices", device_info_from_json);
  header.idle_gpus = reader.each("idle_gpus", idle_gpu_from_json);
  header.implementations = reader.each("implementations", implementation_info_from_json);
  header.profiles = reader.each("profiles", profile_from_json);
  header.vectors_sha256 = reader.text("vectors_sha256");
  return reader.finish(std::move(header));
}

nlohmann::ordered_json to_json(const NotRunRecord& record) {
  return {{"record", "not_run"},     {"operation", record.operation},
          {"path", record.path},     {"device", record.device},
          {"reason", record.reason}, {"requested", record.requested}};
}

Result<NotRunRecord> not_run_record_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  reader.text("record");
  NotRunRecord record;
  record.operation = reader.text("operation");
  record.path = reader.text("path");
  record.device = reader.text("device");
  record.reason = reader.text("reason");
  record.requested = reader.boolean("requested");
  return reader.finish(std::move(record));
}

nlohmann::ordered_json to_json(const BoardRecord& record) {
  return {{"record", "board"},
          {"device", record.device},
          {"before", record.before},
          {"after", record.after}};
}

Result<BoardRecord> board_record_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  reader.text("record");
  BoardRecord record;
  record.device = reader.text("device");
  record.before = reader.object("before");
  record.after = reader.object("after");
  return reader.finish(std::move(record));
}

nlohmann::ordered_json to_json(const CoverageRecord& record) {
  nlohmann::ordered_json at_place = nlohmann::ordered_json::array();
  for (unsigned place = 0; place < Coverage::max_places; ++place) {
    at_place.push_back(record.coverage.pairs_hit_at(place));
  }
  return {{"record", "coverage"},
          {"operation", record.operation},
          {"path", record.path},
          {"device", record.device},
          {"judged", record.judged},
          {"missing_bins", record.missing_bins},
          {"pairs_hit", record.coverage.pairs_hit()},
          {"pairs_hit_at", std::move(at_place)},
          {"counts", to_json(record.coverage)}};
}

Result<CoverageRecord> coverage_record_from_json(const nlohmann::json& json,
                                                 std::string_view place) {
  RecordReader reader(json, place);
  reader.text("record");
  CoverageRecord record;
  record.operation = reader.text("operation");
  record.path = reader.text("path");
  record.device = reader.text("device");
  record.judged = reader.boolean("judged");
  record.missing_bins = reader.texts("missing_bins");
  reader.count("pairs_hit");  // follows from the counts, and so does
  reader.list("pairs_hit_at");
  record.coverage = reader.taken(
      "counts", coverage_from_json(reader.object("counts"), reader.place_of("counts")));
  return reader.finish(std::move(record));
}

nlohmann::ordered_json to_json(const EndRecord& record) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const ResultRow& row : record.rows) rows.push_back(row_to_json(row));
  return {{"record", "end"},
          {"verdict", name_of(record.verdict)},
          {"exit_code", record.exit_code},
          {"scope", record.scope},
          {"statement", record.statement},
          {"interrupted", record.interrupted},
          {"reasons", record.reasons},
          {"planned", record.planned},
          {"executed", record.executed},
          {"verified", record.verified},
          {"rows", std::move(rows)},
          {"finished", record.finished},
          {"seconds", record.seconds}};
}

Result<EndRecord> end_record_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  reader.text("record");
  EndRecord record;
  record.verdict = reader.named("verdict", run_verdict_named,
                                "CONFORMS, MISMATCH, ERROR, INCOMPLETE, WAIVED, STALE WAIVERS");
  record.exit_code = static_cast<int>(reader.integer("exit_code", 0, 4));
  record.scope = reader.texts("scope");
  record.statement = reader.boolean("statement");
  record.interrupted = reader.boolean("interrupted");
  record.reasons = reader.texts("reasons");
  record.planned = reader.count("planned");
  record.executed = reader.count("executed");
  record.verified = reader.count("verified");
  record.rows = reader.each("rows", row_from_json);
  record.finished = reader.text("finished");
  record.seconds = reader.number("seconds");
  return reader.finish(std::move(record));
}

}  // namespace harness
