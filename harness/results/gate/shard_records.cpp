#include "harness/results/gate/shard_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/files/strict_json.hpp"
#include "harness/model/foreign_text.hpp"
#include "harness/results/records/results_file.hpp"

namespace harness {
namespace {

// Whether cleaning its texts would leave a line as it is, seen without parsing it: printable ASCII,
// and no escape that could stand for anything else.
bool is_clean(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] < ' ' || line[i] > '~') return false;
    if (line[i] != '\\') continue;
    if (++i == line.size() || (line[i] != '"' && line[i] != '\\' && line[i] != '/')) return false;
  }
  return true;
}

std::string waiver_member(const CaseRecord& record) {
  return "\"waiver\":" + nlohmann::json(record.waiver).dump();
}

}  // namespace

ShardRecords::ShardRecords(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    paths_.push_back(results_path(file));
    streams_.emplace_back(paths_.back(), std::ios::binary);
  }
}

Result<std::string> ShardRecords::line_of(const RecordSource& source, const CaseRecord& record) {
  std::ifstream& stream = streams_[source.shard];
  const std::string place = fmt::format("{} byte {}", paths_[source.shard], source.offset);
  std::string line;
  stream.clear();
  stream.seekg(static_cast<std::streamoff>(source.offset));
  std::getline(stream, line);
  const auto holds = [&](const std::string& text) { return line.find(text) != std::string::npos; };
  if (!stream || !holds(record.case_sha256) || !holds(record.output_sha256)) {
    return oracle::fail(ErrorCode::io_error,
                        fmt::format("{}: expected the record of '{}', which was here a moment ago",
                                    place, record.key()));
  }
  if (is_clean(line) && holds(waiver_member(record))) return line;
  Result<nlohmann::json> json = parse_json(line, place);
  if (!json) return tl::make_unexpected(json.error());
  clean_texts(*json);
  Result<CaseRecord> whole = case_record_from_json(*json, place);
  if (!whole) return tl::make_unexpected(whole.error());
  whole->waiver = record.waiver;
  return to_json(*whole).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace harness
