// Results: one JSON object a line, written as they come (schema:
// harness/schema/results.schema.json). A file holds one header, the case records, the records of
// what was not run, and one end record; a killed run lacks the end and resumes.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/diagnosis.hpp"
#include "harness/implementation.hpp"
#include "harness/result.hpp"

namespace harness {

inline constexpr int results_schema_version = 1;

enum class Verdict {
  pass,
  mismatch,  // wrong bytes, a trespass, or bytes that differ between two runs
  error,     // a crash, a time-out, a device error, a corrupt reply
  not_run,   // planned, and it could not be: reason says why
};

struct CaseRecord {
  std::string case_id;
  std::string operation;
  std::string path;
  std::string device;
  Verdict verdict = Verdict::not_run;
  std::string reason;  // of error and not_run; for a mismatch one line that says what is wrong
  std::uint64_t bytes_compared = 0;
  std::uint64_t calls = 0;
  std::string output_sha256;      // of all output bytes of the first run
  double seconds = 0;             // of the fastest call
  std::uint64_t bytes_moved = 0;  // read + written by that call at the least, for GB/s
  Diagnosis diagnosis;
  std::vector<Trespass> trespasses;
  std::string reproduce;  // one command that runs exactly this
  std::string waiver;     // tracker link of the waiver that covers it, else empty

  // "case_id path device": unique in a run.
  std::string key() const { return case_id + ' ' + path + ' ' + device; }
};

nlohmann::ordered_json to_json(const CaseRecord& record);
Result<CaseRecord> case_record_from_json(const nlohmann::json& json);

}  // namespace harness
