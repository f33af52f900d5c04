// The results file: written line by line, read whole.
#pragma once

#include <chrono>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/files/sha256.hpp"
#include "harness/model/result.hpp"
#include "harness/results/records/results.hpp"

namespace harness {

// The file's name in a report folder.
inline constexpr std::string_view results_file_name = "results.jsonl";

// `path` itself, or the results file in it where it is a folder.
std::string results_path(const std::string& path);

// Each record is handed to the kernel whole before `write` returns: a killed run loses at most the
// case in flight. A power cut loses what was written in the last seconds; the header and the end
// are on the disk when `write` returns. The file is locked for as long as it is written: two runs
// never write one file.
class ResultsWriter {
 public:
  // Takes over a file in which no header is whole, as a run leaves it that was killed at once.
  // Error: the file holds a run already, another run writes it, or it cannot be made.
  static Result<ResultsWriter> create(const std::string& path);
  // Locks a file to go on with it. Error: another run writes it.
  static Result<ResultsWriter> open(const std::string& path);
  // What lies behind the first `keep_bytes` is cut off.
  Status keep(std::uint64_t keep_bytes);

  ResultsWriter(ResultsWriter&& other) noexcept;
  ResultsWriter& operator=(ResultsWriter&& other) noexcept;
  ResultsWriter(const ResultsWriter&) = delete;
  ResultsWriter& operator=(const ResultsWriter&) = delete;
  ~ResultsWriter();

  const std::string& path() const { return path_; }
  Status write(const nlohmann::ordered_json& record);
  // That the file holds what was kept and written, and nothing else. Once, after the last record.
  // Error: somebody changed it.
  Status check_unchanged();
  // A record that is text already, without its line feed; neither a header nor an end.
  Status write_line(std::string line);

 private:
  ResultsWriter(std::string path, int file) : path_(std::move(path)), file_(file) {}
  Status write(const std::string& line, bool lasting);
  Status synchronize();

  std::string path_;
  int file_ = -1;
  Sha256 written_;  // over the file
  std::chrono::steady_clock::time_point synchronized_ = std::chrono::steady_clock::now();
};

struct ResultsFile {
  RunHeader header;
  std::vector<NotRunRecord> not_run;
  std::vector<CaseRecord> cases;
  std::vector<std::uint64_t> case_offsets;  // of their lines in the file, in bytes
  std::vector<BoardRecord> boards;
  std::vector<CoverageRecord> coverage;
  std::optional<EndRecord> end;  // none: the run was killed
  // What a resumed run keeps: everything before the first coverage or end record, and before a last
  // line that was cut short.
  std::uint64_t keep_bytes = 0;
};

// Reads a results file or the folder that holds it. Of failing records behind the first of them
// less is kept (abridged_record.hpp). A last line without its line feed is the mark of a killed run
// and is left out. Error: names the file, the line, expected and actual.
Result<ResultsFile> read_results(const std::string& path);
// The same from a stream that errors call `name`.
Result<ResultsFile> parse_results(std::istream& stream, std::string_view name);

}  // namespace harness
