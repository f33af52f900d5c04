#include "harness/cli/boards.hpp"

#include <string>

#include "harness/implementations/boards/board.hpp"

namespace harness::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string device_of(const Json& board) {
  return board.is_object() ? board.value("device", std::string()) : std::string();
}

}  // namespace

Json boards_of(const Suite& suite, std::span<const DeviceInfo> devices,
               const WorkerOptions& options) {
  const nlohmann::json spec = boards_spec(devices);
  if (spec.at("devices").empty() || !suite.kinds.contains("boards")) return Json::array();
  WorkerOptions own = options;
  own.interrupted = nullptr;  // an interrupted run has boards too
  const auto source = RemoteSource::open(spec, own);
  if (source && (*source)->facts().contains("boards")) return (*source)->facts().at("boards");
  const std::string why =
      source ? "the worker told of no boards" : "asking the boards: " + source.error().message;
  Json boards = Json::array();
  for (const nlohmann::json& device : spec.at("devices")) {
    boards.push_back({{"device", device.at("name")}, {"pci", device.at("pci")}, {"absent", why}});
  }
  return boards;
}

std::vector<BoardRecord> board_records(const Json& before, const Json& after) {
  std::vector<BoardRecord> records;
  for (const Json& first : before) {
    BoardRecord record{device_of(first), first, {}};
    record.after = {
        {"device", record.device}, {"pci", ""}, {"absent", "it was not there any more"}};
    for (const Json& last : after) {
      if (device_of(last) == record.device) record.after = last;
    }
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace harness::cli
