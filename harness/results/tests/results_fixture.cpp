#include "harness/results/tests/results_fixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "harness/files/sha256.hpp"
#include "harness/results/verdict/conclusion.hpp"

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

std::vector<CaseRecord> all_records() {
  std::vector<CaseRecord> records;
  for (const char* name : case_names) {
    for (const char* path : paths) {
      CaseRecord record;
      record.index = records.size();
      record.case_id = fmt::format("{}/{}", operation, name);
      record.case_sha256 = sha256_hex(std::string_view(name));
      record.operation = operation;
      record.path = path;
      record.device = "cpu";
      record.verdict = Verdict::pass;
      record.bytes_compared = 32768;
      record.calls = 2;
      record.output_sha256 = sha256_hex(fmt::format("output of {}", name));
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
    header.implementations.push_back(
        {operation, path, "cpu", "built-in", "ocp", digest('d'), "g++ 12.2.0", ""});
  }
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
    CoverageRecord coverage{operation, path, "cpu", all_pairs(), {}, shard.count == 1};
    if (std::any_of(results.cases.begin(), results.cases.end(),
                    [&](const CaseRecord& each) { return each.path == path; })) {
      results.coverage.push_back(std::move(coverage));
    }
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

void conclude_anew(ResultsFile& results) {
  results.end = conclude(results, {});
  results.end->finished = "2026-11-29T20:10:00Z";
  results.end->seconds = 50;
}

std::string text_of(const ResultsFile& results) {
  std::string text = to_json(results.header).dump() + '\n';
  const auto add = [&](const auto& records) {
    for (const auto& each : records) text += to_json(each).dump() + '\n';
  };
  add(results.not_run);
  add(results.cases);
  add(results.coverage);
  if (results.end) text += to_json(*results.end).dump() + '\n';
  return text;
}

}  // namespace harness::fixture
