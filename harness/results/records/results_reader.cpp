#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "harness/files/file.hpp"
#include "harness/files/strict_json.hpp"
#include "harness/model/foreign_text.hpp"
#include "harness/results/records/abridged_record.hpp"
#include "harness/results/records/results_file.hpp"

namespace harness {
namespace {

// Takes one line, which `place` names, into `file`. `kept` is false for records that a resumed run
// writes anew.
Status take(const nlohmann::json& json, const std::string& place, bool is_first, ResultsFile& file,
            bool& kept) {
  const auto kind = json.is_object() ? json.find("record") : json.end();
  if (!json.is_object() || kind == json.end() || !kind->is_string()) {
    return oracle::fail(ErrorCode::malformed,
                        place + ": expected an object with a member \"record\"");
  }
  const auto& name = kind->get_ref<const std::string&>();
  if (is_first != (name == "header")) {
    return oracle::fail(ErrorCode::malformed,
                        fmt::format("{}: expected {}, got a {} record", place,
                                    is_first ? "a header" : "no second header", name));
  }
  const auto append = [](auto& records, auto result) -> Status {
    if (!result) return tl::make_unexpected(std::move(result).error());
    records.push_back(std::move(*result));
    return {};
  };
  const auto set = [](auto& member, auto result) -> Status {
    if (!result) return tl::make_unexpected(std::move(result).error());
    member = std::move(*result);
    return {};
  };
  kept = name == "header" || name == "case" || name == "not_run";
  if (name == "header") return set(file.header, header_from_json(json, place));
  if (name == "case") return append(file.cases, case_record_from_json(json, place));
  if (name == "not_run") return append(file.not_run, not_run_record_from_json(json, place));
  if (name == "board") return append(file.boards, board_record_from_json(json, place));
  if (name == "coverage") return append(file.coverage, coverage_record_from_json(json, place));
  if (name == "end") return set(file.end, end_record_from_json(json, place));
  return oracle::fail(
      ErrorCode::malformed,
      fmt::format("{}: expected a header, not_run, case, board, coverage or end record, got \"{}\"",
                  place, name));
}

}  // namespace

Result<ResultsFile> parse_results(std::istream& stream, std::string_view name) {
  ResultsFile file;
  bool keeping = true;
  std::uint64_t offset = 0;
  std::size_t mismatches = 0;
  std::uint64_t line_number = 0;
  std::string line;
  while (std::getline(stream, line)) {
    ++line_number;
    const std::string place = fmt::format("{} line {}", name, line_number);
    if (stream.eof() && !file.end) break;  // no line feed: the record was cut short
    if (file.end) {
      return oracle::fail(ErrorCode::malformed, place + ": expected nothing after the end record");
    }
    const std::uint64_t line_bytes = line.size() + 1;
    const std::size_t cases = file.cases.size();
    abridge_record(line, detail_kept(mismatches));
    Result<nlohmann::json> json = parse_json(line, place);
    if (!json) return tl::make_unexpected(json.error());
    clean_texts(*json);  // anyone may have written it
    bool kept = false;
    if (Status status = take(*json, place, line_number == 1, file, kept); !status) {
      return tl::make_unexpected(status.error());
    }
    if (file.cases.size() != cases) {
      file.case_offsets.push_back(offset);
      mismatches += file.cases.back().verdict == Verdict::mismatch ? 1U : 0U;
    }
    offset += line_bytes;
    keeping = keeping && kept;
    if (keeping) file.keep_bytes += line_bytes;
  }
  if (file.keep_bytes == 0) {
    return oracle::fail(
        ErrorCode::malformed,
        fmt::format("{}: expected a header record, got none: nothing of a run is in it", name));
  }
  return file;
}

Result<ResultsFile> read_results(const std::string& path) {
  const std::string file_path = results_path(path);
  // A pipe without a writer, or a device without an end, would be waited for for ever.
  if (Result<InputFile> file = InputFile::open(file_path); !file) {
    return tl::make_unexpected(file.error());
  }
  std::ifstream stream(file_path, std::ios::binary);
  if (!stream) {
    return oracle::fail(ErrorCode::io_error,
                        fmt::format("cannot read {}: {}", file_path, std::strerror(errno)));
  }
  return parse_results(stream, file_path);
}

}  // namespace harness
