#include "harness/implementations/isolation/worker_answer.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/files/strict_json.hpp"
#include "harness/results/records/results.hpp"

namespace harness {

Result<OpenedAnswer> read_opened(const nlohmann::json& answer) {
  JsonObject reader(answer, "answer");
  OpenedAnswer opened;
  opened.facts = reader.value("facts");
  for (const nlohmann::json& item : reader.value("implementations")) {
    Result<ImplementationInfo> info =
        implementation_info_from_json(item, fmt::format("implementations/{}", opened.infos.size()));
    if (!info) return tl::make_unexpected(info.error());
    opened.infos.push_back(std::move(*info));
  }
  constexpr std::int64_t largest_granularity = std::int64_t{1} << 30;
  opened.edge_granularity =
      static_cast<std::uint64_t>(reader.integer("edge_granularity", 0, largest_granularity));
  if (opened.edge_granularity % 256 != 0) {
    reader.fault("edge_granularity",
                 fmt::format("expected a multiple of 256, got {}", opened.edge_granularity));
  }
  if (Result<void> status = reader.done(); !status) return tl::make_unexpected(status.error());
  return opened;
}

Result<Execution> read_execution(const nlohmann::json& answer, const Problem& problem) {
  JsonObject reader(answer, "answer");
  Execution execution;
  const nlohmann::json& seconds = reader.value("seconds");
  // JSON has no NaN: it is sent as null.
  if (!seconds.is_number() && !seconds.is_null()) {
    reader.fault("seconds", "expected a number, got " + describe(seconds));
  }
  const double time = seconds.is_number() ? seconds.get<double>() : 0;
  execution.seconds = std::isfinite(time) && time > 0 ? time : 0.0;
  for (const nlohmann::json& item : reader.value("trespasses")) {
    Result<Trespass> trespass =
        trespass_from_json(item, fmt::format("trespasses/{}", execution.trespasses.size()));
    if (!trespass) return tl::make_unexpected(trespass.error());
    if (problem.find(trespass->tensor) == nullptr) {
      reader.fault("trespasses", fmt::format("no tensor is named \"{}\"", trespass->tensor));
    }
    execution.trespasses.push_back(std::move(*trespass));
  }
  if (Result<void> status = reader.done(); !status) return tl::make_unexpected(status.error());
  return execution;
}

}  // namespace harness
