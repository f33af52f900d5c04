// Case records as JSON.
#include <array>

#include "harness/results/records/record_reader.hpp"
#include "harness/results/records/results.hpp"

namespace harness {

namespace {

constexpr std::array<std::string_view, 4> verdict_names{"pass", "mismatch", "error", "not_run"};

nlohmann::ordered_json mismatch_to_json(const Mismatch& mismatch) {
  return {{"tensor", mismatch.tensor},
          {"byte", mismatch.byte},
          {"expected", hex_bits(mismatch.expected)},
          {"actual", hex_bits(mismatch.actual)},
          {"site", mismatch.site.is_object() ? mismatch.site : nlohmann::ordered_json::object()},
          {"text", mismatch.text}};
}

Result<Mismatch> mismatch_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  Mismatch mismatch;
  mismatch.tensor = reader.text("tensor");
  mismatch.byte = reader.count("byte");
  mismatch.expected = reader.bits("expected", 0xffffffff);
  mismatch.actual = reader.bits("actual", 0xffffffff);
  mismatch.site = reader.object("site");
  mismatch.text = reader.text("text");
  return reader.finish(std::move(mismatch));
}

nlohmann::ordered_json diagnosis_to_json(const Diagnosis& diagnosis) {
  nlohmann::ordered_json first = nlohmann::ordered_json::array();
  for (const Mismatch& mismatch : diagnosis.first) first.push_back(mismatch_to_json(mismatch));
  nlohmann::ordered_json json{{"mismatches", diagnosis.mismatches},
                              {"fault_class", diagnosis.fault_class},
                              {"same_bytes_classes", diagnosis.same_bytes_classes},
                              {"explanation", diagnosis.explanation},
                              {"matching_profile", diagnosis.matching_profile},
                              {"first", std::move(first)}};
  if (!diagnosis.wrong_map.empty()) json["wrong_map"] = to_json(diagnosis.wrong_map);
  return json;
}

Result<Diagnosis> diagnosis_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  Diagnosis diagnosis;
  diagnosis.mismatches = reader.count("mismatches");
  diagnosis.fault_class = reader.text("fault_class");
  diagnosis.same_bytes_classes = reader.texts("same_bytes_classes");
  diagnosis.explanation = reader.text("explanation");
  diagnosis.matching_profile = reader.text("matching_profile");
  diagnosis.first = reader.each("first", mismatch_from_json);
  if (const nlohmann::json* map = reader.optional_value("wrong_map"); map != nullptr) {
    diagnosis.wrong_map = reader.taken("wrong_map", wrong_map_from_json(*map));
  }
  return reader.finish(std::move(diagnosis));
}

Result<AskedProblem> asked_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  AskedProblem asked;
  asked.operation = reader.text("operation");
  asked.spec = reader.text("spec");
  asked.call = reader.count("call");
  asked.profile_sha256 = reader.text("profile_sha256");
  return reader.finish(std::move(asked));
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  return verdict_names[static_cast<std::size_t>(verdict)];
}

std::optional<Verdict> verdict_named(std::string_view name) {
  for (std::size_t i = 0; i < verdict_names.size(); ++i) {
    if (verdict_names[i] == name) return static_cast<Verdict>(i);
  }
  return std::nullopt;
}

nlohmann::ordered_json to_json(const CaseRecord& record) {
  nlohmann::ordered_json json{{"record", "case"},
                              {"index", record.index},
                              {"case", record.case_id},
                              {"case_sha256", record.case_sha256},
                              {"operation", record.operation},
                              {"path", record.path},
                              {"device", record.device},
                              {"verdict", name_of(record.verdict)},
                              {"reason", record.reason},
                              {"bytes_compared", record.bytes_compared},
                              {"calls", record.calls},
                              {"output_sha256", record.output_sha256},
                              {"seconds", record.seconds},
                              {"bytes_moved", record.bytes_moved},
                              {"reproduce", record.reproduce},
                              {"waiver", record.waiver}};
  if (record.asked) {
    json["asked"] = {{"operation", record.asked->operation},
                     {"spec", record.asked->spec},
                     {"call", record.asked->call},
                     {"profile_sha256", record.asked->profile_sha256}};
  }
  if (record.verdict == Verdict::mismatch) {
    json["diagnosis"] = diagnosis_to_json(record.diagnosis);
    json["trespasses"] = nlohmann::ordered_json::array();
    for (const Trespass& trespass : record.trespasses) {
      json["trespasses"].push_back(to_json(trespass));
    }
  }
  return json;
}

Result<CaseRecord> case_record_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  reader.text("record");
  CaseRecord record;
  record.index = reader.count("index");
  record.case_id = reader.text("case");
  record.case_sha256 = reader.text("case_sha256");
  record.operation = reader.text("operation");
  record.path = reader.text("path");
  record.device = reader.text("device");
  record.verdict = reader.named("verdict", verdict_named, "pass, mismatch, error, not_run");
  record.reason = reader.text("reason");
  record.bytes_compared = reader.count("bytes_compared");
  record.calls = reader.count("calls");
  record.output_sha256 = reader.text("output_sha256");
  record.seconds = reader.number("seconds");
  record.bytes_moved = reader.count("bytes_moved");
  record.reproduce = reader.text("reproduce");
  record.waiver = reader.text("waiver");
  if (json.is_object() && json.contains("asked")) {
    record.asked =
        reader.taken("asked", asked_from_json(reader.object("asked"), reader.place_of("asked")));
  }
  if (record.verdict == Verdict::mismatch) {
    record.diagnosis = reader.taken(
        "diagnosis", diagnosis_from_json(reader.object("diagnosis"), reader.place_of("diagnosis")));
    record.trespasses = reader.each("trespasses", trespass_from_json);
  }
  return reader.finish(std::move(record));
}

}  // namespace harness
