#include "harness/results/tests/results_fixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "harness/files/sha256.hpp"
#include "harness/results/verdict/expected_bytes.hpp"
#include "harness/results/verdict/verdict.hpp"

namespace harness::fixture {
namespace {

constexpr const char* operation = "nvfp4_gather_index_k";
constexpr const char* case_names[] = {"exhaustive_page",  "layout_page",   "reversed_table",
                                      "page_stride_9728", "empty_request", "high_ids"};
constexpr const char* paths[] = {"fp32", "table"};

std::string digest(char digit) { return std::string(64, digit); }

Coverage all_pairs() {
  Coverage coverage;
  for (unsigned scale = 0; scale < 256; ++scale) {
    for (unsigned code = 0; code < 16; ++code) {
      for (unsigned place = 0; place < 16; ++place) {
        coverage.add_element(static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(scale),
                             place);
      }
    }
  }
  coverage.add("edge/tie", 95);
  return coverage;
}

constexpr std::size_t output_bytes = 16384;

// The gather as far as its results go: no page, no table, bytes that are right by definition.
class Gather final : public Operation {
 public:
  const Signature& signature() const override {
    static const Signature named = [] {
      Signature signature;
      signature.operation = operation;
      return signature;
    }();
    return named;
  }
  std::string_view summary() const override { return "gathers"; }
  std::vector<Case> cases(Level level, std::uint64_t seed) const override {
    std::vector<Case> cases;
    for (std::size_t i = 0; i < std::size(case_names); ++i) {
      Case added;
      added.operation = operation;
      added.id = fmt::format("{}/{}", operation, case_names[i]);
      added.level = static_cast<Level>(i / 2);
      added.device_bytes = output_bytes;
      added.spec = {{"name", case_names[i]}, {"seed", seed}};
      if (added.level <= level) cases.push_back(std::move(added));
    }
    return cases;
  }
  Result<std::vector<Problem>> build(const nlohmann::json& spec) const override {
    Problem problem;
    problem.operation = operation;
    problem.scalars["name"] = static_cast<std::int64_t>(
        std::find(std::begin(case_names), std::end(case_names), spec.at("name")) -
        std::begin(case_names));
    return std::vector{problem};
  }
  nlohmann::json random_spec(std::uint64_t) const override { return {}; }
  std::vector<nlohmann::json> smaller_specs(const nlohmann::json&) const override { return {}; }
  Status validate(const Problem&) const override { return {}; }
  Result<Outputs> expected(const Problem& problem, const oracle::Profile& profile) const override {
    std::vector<std::uint8_t> out(output_bytes,
                                  static_cast<std::uint8_t>(problem.scalars.at("name")));
    out.front() = profile.nan.e4m3;
    return Outputs{out};
  }
  Diagnosis diagnose(std::span<const Problem>, const oracle::Profile&, const Outputs&,
                     const Outputs&) const override {
    return {};
  }
  void cover(const Problem&, Coverage& coverage) const override { coverage.merge(all_pairs()); }
  std::vector<std::string> required_bins() const override { return {"pairs", "edge/tie"}; }
};

const Gather gather;
const Operation* const operations[] = {&gather};

std::vector<CaseRecord> all_records() {
  std::vector<CaseRecord> records;
  for (const Case& from : gather.cases(Level::full, 1)) {
    const ExpectedBytes right = expected_bytes(gather, from, oracle::profiles::ocp()).value();
    for (const char* path : paths) {
      CaseRecord record;
      record.index = records.size();
      record.case_id = from.id;
      record.case_sha256 = sha256_hex(from.spec.dump());
      record.operation = operation;
      record.path = path;
      record.device = "cpu";
      record.verdict = Verdict::pass;
      record.bytes_compared = 2 * right.bytes;
      record.calls = 2;
      record.output_sha256 = right.sha256;
      record.seconds = 0.001;
      record.bytes_moved = 25600;
      record.reproduce =
          fmt::format("fp4cts run --device cpu --path {} --filter '{}' --level full --seed 1", path,
                      record.case_id);
      records.push_back(std::move(record));
    }
  }
  return records;
}

RunHeader header_of(const std::vector<CaseRecord>& records, Shard shard) {
  RunHeader header;
  header.suite_version = "0.1.0";
  header.suite_commit = std::string(40, 'c');
  header.started = fmt::format("2026-11-29T20:09:{:02}Z", 10 + shard.index);
  header.selection.devices = {"cpu"};
  header.selection.level = Level::full;
  header.selection.seed = 1;
  header.selection.shard = shard;
  header.plan_total = records.size();
  Sha256 plan;
  for (const CaseRecord& each : records) plan.update(each.key() + ' ' + each.case_sha256 + '\n');
  header.plan_sha256 = plan.hex();
  header.environment = {{"host", fmt::format("node{}", shard.index)},
                        {"cpu", "Processor"},
                        {"cores", 2},
                        {"memory_bytes", 8589934592},
                        {"kernel", "Linux 6.1"},
                        {"compiler", "g++ 12.2.0"},
                        {"build_type", "Release"}};
  header.devices = {{"cpu",
                     "Processor, 2 cores",
                     "x86-64",
                     8589934592,
                     {{"driver", "580.159.04"}, {"processor", "Processor"}}}};
  for (const char* path : paths) {
    header.implementations.push_back({operation, path, "cpu", "built-in", "ocp", digest('d'),
                                      "g++ 12.2.0", "", Machinery::native});
  }
  const nlohmann::json ocp = *knowledge().shipped_profile("ocp");
  header.profiles = {{"ocp", profile_sha256(ocp), ocp}};
  header.not_run_rows = 1;
  header.vectors_sha256 = digest('e');
  return header;
}

}  // namespace

ResultsFile passing_run(Shard shard) {
  const std::vector<CaseRecord> records = all_records();
  ResultsFile results;
  results.header = header_of(records, shard);
  for (const CaseRecord& each : records) {
    if (each.index % shard.count == shard.index) results.cases.push_back(each);
  }
  results.header.plan_planned = results.cases.size();
  results.not_run = {{operation, "qmul4", "cpu", "needs compute capability 10.0 or 10.3", false}};
  for (const char* path : paths) {
    CoverageRecord coverage{operation, path, "cpu", {}, {}, shard.count == 1};
    for (const CaseRecord& each : results.cases) {
      if (each.path == path) coverage.coverage.merge(all_pairs());
    }
    if (coverage.coverage.pairs_hit() != 0) results.coverage.push_back(std::move(coverage));
  }
  results.end.emplace();
  conclude_anew(results);
  return results;
}

std::vector<NamedResults> shards(std::uint64_t count) {
  std::vector<NamedResults> all;
  for (std::uint64_t index = 0; index < count; ++index) {
    all.push_back({fmt::format("{}.jsonl", index), passing_run({index, count})});
  }
  return all;
}

CaseRecord& record(ResultsFile& results, const std::string& key) {
  const auto it = std::find_if(results.cases.begin(), results.cases.end(),
                               [&](const CaseRecord& each) { return each.key() == key; });
  if (it == results.cases.end()) throw std::invalid_argument("no record " + key);
  return *it;
}

void make_mismatch(CaseRecord& record) {
  record.verdict = Verdict::mismatch;
  record.reason = "out: 8192 of 16384 elements are wrong, the first at page 0, token 0, element 1";
  record.output_sha256 = digest('f');
  record.diagnosis.mismatches = 8192;
  record.diagnosis.fault_class = "nibble_swap";
  record.diagnosis.explanation = "Each pair of elements has changed places; this accounts for all.";
  record.diagnosis.wrong_map = WrongMap("token", 128, "element", 128);
  for (std::uint32_t token = 0; token < 128; ++token) {
    for (std::uint32_t element = 1; element < 128; element += 2) {
      record.diagnosis.wrong_map.mark(token, element);
    }
  }
  for (std::uint32_t i = 0; i < 64; ++i) {
    record.diagnosis.first.push_back({"out",
                                      2 * i + 1,
                                      0x38,
                                      0x40,
                                      {{"page", 0}, {"token", 0}, {"element", 2 * i + 1}},
                                      fmt::format("page 0, token 0, element {}: expected 38 (1), "
                                                  "got 40 (2)",
                                                  2 * i + 1)});
  }
}

void make_error(CaseRecord& record) {
  record.verdict = Verdict::error;
  record.reason = "the child process ended by signal 11 (SIGSEGV)";
  record.bytes_compared = 0;
  record.output_sha256.clear();
}

void make_not_run(CaseRecord& record) {
  record.verdict = Verdict::not_run;
  record.reason = "needs 4.1 GiB of device memory; cpu has 1.0 GiB";
  record.bytes_compared = 0;
  record.calls = 0;
  record.output_sha256.clear();
  record.seconds = 0;
}

SuiteKnowledge knowledge() {
  SuiteKnowledge known;
  known.version = "0.1.0";
  known.commit = std::string(40, 'c');
  known.vectors_sha256 = digest('e');
  known.operations = operations;
  known.kernels = {{operation, "fp32", true}, {operation, "table", true}, {operation, "qmul4"}};
  known.shipped_profile = [](const std::string& name) -> std::optional<nlohmann::json> {
    if (name != "ocp") return std::nullopt;
    return nlohmann::json{{"name", "ocp"}, {"nan", 0x7f}, {"e8m0_00", "two_to_minus_127"}};
  };
  known.read_profile = [](const nlohmann::json& contents) -> Result<oracle::Profile> {
    oracle::Profile profile = oracle::profiles::ocp();
    profile.nan.e4m3 = contents.at("nan").get<std::uint8_t>();
    return profile;
  };
  return known;
}

void conclude_anew(ResultsFile& results) {
  results.end = draw_end(results, knowledge(), false);
  results.end->finished = "2026-11-29T20:10:00Z";
  results.end->seconds = 50;
}

ConcludedRun concluded(ResultsFile results, std::vector<WaiverUse> waivers) {
  ConcludedRun run;
  run.end = draw_end(results, knowledge(), !results.end, waivers);
  run.complete = results.end && run.end.executed == results.header.plan_planned;
  run.waivers = std::move(waivers);
  run.results = std::move(results);
  return run;
}

std::string text_of(const ResultsFile& results) {
  std::string text = to_json(results.header).dump() + '\n';
  const auto add = [&](const auto& records) {
    for (const auto& each : records) text += to_json(each).dump() + '\n';
  };
  add(results.not_run);
  add(results.cases);
  add(results.boards);
  add(results.coverage);
  if (results.end) text += to_json(*results.end).dump() + '\n';
  return text;
}

}  // namespace harness::fixture
