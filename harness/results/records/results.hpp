// Results: one JSON object a line, written as they come (schema:
// harness/schema/results.schema.json). A file holds one header, the rows that were not run, the
// case records, and at the end the boards, the coverage records and one end record. A killed run
// lacks the end and resumes.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/case.hpp"
#include "harness/model/coverage.hpp"
#include "harness/model/device_info.hpp"
#include "harness/model/diagnosis.hpp"
#include "harness/model/implementation.hpp"
#include "harness/model/result.hpp"

namespace harness {

inline constexpr int results_schema_version = 1;

enum class Verdict {
  pass,
  mismatch,  // wrong bytes, a trespass, or bytes that differ between two runs
  error,     // a crash, a time-out, a device error, a corrupt reply
  not_run,   // planned, and it could not be: reason says why
};

std::string_view name_of(Verdict verdict);  // "pass", "mismatch", "error", "not_run"
std::optional<Verdict> verdict_named(std::string_view name);

// What a golden file asked, in the results of `fp4cts check`: enough to compute the right bytes
// again.
struct AskedProblem {
  std::string operation;       // "mxfp4_gather_pages", "element/e2m1_to_f32"
  std::string spec;            // of the case, as text; empty: the operation is the whole of it
  std::uint64_t call = 0;      // of the case
  std::string profile_sha256;  // of one that the header embeds
};

struct CaseRecord {
  std::uint64_t index = 0;  // in the plan of all shards
  std::string case_id;
  std::string case_sha256;  // of the case's spec: an id whose meaning changed is another case
  std::string operation;
  std::string path;
  std::string device;
  Verdict verdict = Verdict::not_run;
  std::string reason;  // of error and not_run; for a mismatch one line that says what is wrong
  std::uint64_t bytes_compared = 0;  // output bytes of all calls of both runs
  std::uint64_t calls = 0;           // made, both runs together
  std::string output_sha256;         // of all output bytes of the first run
  double seconds = 0;                // of the fastest call
  std::uint64_t bytes_moved = 0;     // read + written by that call at the least; 0: not stated
  Diagnosis diagnosis;
  std::vector<Trespass> trespasses;
  std::string reproduce;  // one command that runs exactly this
  std::string waiver;     // tracker link of the waiver that covers it, else empty
  // Of an answer to a golden file that holds a problem of this suite.
  std::optional<AskedProblem> asked;

  // "case_id path device": unique in a run.
  std::string key() const { return case_id + ' ' + path + ' ' + device; }
};

// Part `index` of `count`, 0 <= index < count.
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;
  bool operator==(const Shard&) const = default;
};

// What was chosen on the command line: with the same suite and machine it gives the same plan.
struct Selection {
  std::vector<std::string> devices;  // names, kinds ("cuda"), or "all"
  std::vector<std::string> operations;
  std::vector<std::string> paths;
  std::vector<std::string> filters;   // globs on case ids; empty: every case
  std::vector<std::string> excludes;  // globs on case ids
  Level level = Level::standard;
  std::uint64_t seed = 0;
  std::string profile;  // empty: the one that each implementation declares
  // What is judged in place of the kernels in the box, as it was written: files of plug-ins and of
  // module maps, and command lines. An implementation's `origin` is one of these.
  std::vector<std::string> libraries;
  std::vector<std::string> programs;
  std::vector<std::string> modules;
  Shard shard;
};

// A profile that cases were judged by, with what it says: a file of the same name may say something
// else tomorrow.
struct JudgedProfile {
  std::string name;    // as implementations and the selection call it: "ocp", "./mine.json"
  std::string sha256;  // of `contents` as text
  nlohmann::ordered_json contents;
  bool operator==(const JudgedProfile&) const = default;
};

// A GPU that the machine shows, and that no runtime gives access to.
struct IdleGpu {
  std::string kind;  // "cuda", "hip": the runtime that it needs
  std::string what;  // "NVIDIA 10de:2335 at PCI 0000:3b:00.0"
  bool operator==(const IdleGpu&) const = default;
};

struct RunHeader {
  std::string suite_version;
  std::string suite_commit;  // 40 hex digits, "-dirty" after them where files were changed
  std::string started;       // UTC, "2026-11-29T20:09:22Z"
  Selection selection;
  std::uint64_t plan_total = 0;    // cases of all shards
  std::uint64_t plan_planned = 0;  // cases of this shard
  std::string plan_sha256;         // of all shards' "key case_sha256" lines, in plan order
  std::uint64_t not_run_rows = 0;  // NotRunRecords of the file
  nlohmann::ordered_json environment;
  std::vector<DeviceInfo> devices;
  std::vector<IdleGpu> idle_gpus;  // only where they are selected: by "all", for their kind
  std::vector<ImplementationInfo> implementations;  // those that the plan uses
  std::vector<JudgedProfile> profiles;              // that these are judged by
  std::string vectors_sha256;                       // of the vector manifest, empty without one
};

// An implementation, or a whole device, that is not in the plan. One that was named on the command
// line and did not come as far as telling its name has its origin as path.
struct NotRunRecord {
  std::string operation;  // empty: all of them
  std::string path;       // empty: all of them
  std::string device;     // empty: all of them
  std::string reason;
  bool requested = false;  // by its exact name: the run is incomplete without it
  bool operator==(const NotRunRecord&) const = default;
};

struct CoverageRecord {
  std::string operation;
  std::string path;
  std::string device;
  Coverage coverage;                      // of the cases that ran and were compared
  std::vector<std::string> missing_bins;  // required, and not hit
  bool judged = false;                    // part of the verdict: level full, nothing left out
};

// A GPU's board before a run and after it, as `board` of the schema states it. Error counters that
// rose between the two are part of the verdict's text.
struct BoardRecord {
  std::string device;
  nlohmann::ordered_json before;
  nlohmann::ordered_json after;
};

// One row of the table at the end of a run.
struct ResultRow {
  std::string operation;
  std::string path;
  std::string device;
  std::uint64_t planned = 0;
  std::uint64_t run = 0;  // executed, with whatever verdict
  std::uint64_t passed = 0;
  std::uint64_t mismatches = 0;  // cases
  std::uint64_t errors = 0;
  std::uint64_t waived = 0;  // failures that a waiver covers: neither mismatches nor errors
  std::uint64_t bytes_compared = 0;
  double gigabytes_per_second = 0;  // of the fastest call of all; 0: not known
};

enum class RunVerdict {
  conforms,
  mismatch,
  error,
  incomplete,
  waived,         // some cases fail, and every one of them is waived: accepted, and no CONFORMS
  stale_waivers,  // a waiver has expired, or what it covers passes
};
std::string_view name_of(RunVerdict verdict);  // "CONFORMS", "MISMATCH", ..., "STALE WAIVERS"
std::optional<RunVerdict> run_verdict_named(std::string_view name);

struct EndRecord {
  RunVerdict verdict = RunVerdict::incomplete;
  int exit_code = 4;
  std::vector<std::string> scope;    // devices that cases ran on: "cuda:0 (NVIDIA H200, sm_90)"
  bool statement = false;            // may be called a conformance statement
  bool interrupted = false;          // by a signal; --resume goes on
  std::vector<std::string> reasons;  // why it is not CONFORMS, or no statement
  std::uint64_t planned = 0;
  std::uint64_t executed = 0;
  std::uint64_t verified = 0;  // executed and its bytes compared
  std::vector<ResultRow> rows;
  std::string finished;  // UTC
  double seconds = 0;    // wall time
};

// "CONFORMS on cpu, cuda:0 (NVIDIA H200, sm_90)": never without saying where.
std::string verdict_line(const EndRecord& end);

// Each object has a member "record": "header", "not_run", "case", "board", "coverage" or "end".
nlohmann::ordered_json to_json(const CaseRecord& record);
nlohmann::ordered_json to_json(const RunHeader& header);
nlohmann::ordered_json to_json(const NotRunRecord& record);
nlohmann::ordered_json to_json(const BoardRecord& record);
nlohmann::ordered_json to_json(const CoverageRecord& record);
nlohmann::ordered_json to_json(const EndRecord& record);

// `place` is what errors call the object: "results.jsonl line 3". Error: malformed, with the path
// of the member, expected and actual.
Result<CaseRecord> case_record_from_json(const nlohmann::json& json, std::string_view place);
Result<RunHeader> header_from_json(const nlohmann::json& json, std::string_view place);
Result<NotRunRecord> not_run_record_from_json(const nlohmann::json& json, std::string_view place);
Result<BoardRecord> board_record_from_json(const nlohmann::json& json, std::string_view place);
Result<CoverageRecord> coverage_record_from_json(const nlohmann::json& json,
                                                 std::string_view place);
Result<EndRecord> end_record_from_json(const nlohmann::json& json, std::string_view place);

// The parts that other messages carry too.
nlohmann::ordered_json to_json(const ImplementationInfo& info);
nlohmann::ordered_json to_json(const DeviceInfo& info);
nlohmann::ordered_json to_json(const Trespass& trespass);
Result<ImplementationInfo> implementation_info_from_json(const nlohmann::json& json,
                                                         std::string_view place);
Result<DeviceInfo> device_info_from_json(const nlohmann::json& json, std::string_view place);
Result<Trespass> trespass_from_json(const nlohmann::json& json, std::string_view place);

}  // namespace harness
