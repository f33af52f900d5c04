#include "harness/implementations/program/program_answer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "harness/files/problem_file.hpp"
#include "harness/files/strict_json.hpp"
#include "harness/results/records/results.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;

// A message that is the same wherever the file lies.
Error without_path(Error error, const fs::path& path, std::string_view name) {
  const std::string text = path.string();
  for (std::size_t at = 0; (at = error.message.find(text)) != std::string::npos;) {
    error.message.replace(at, text.size(), name);
  }
  return error;
}

Result<std::vector<Trespass>> trespasses_from(const std::string& text, const Problem& problem,
                                              std::string_view name) {
  const Result<nlohmann::json> list = parse_json(text, fmt::format("{}: trespasses", name));
  if (!list) return tl::make_unexpected(list.error());
  if (!list->is_array()) {
    return oracle::fail(
        ErrorCode::malformed,
        fmt::format("{}: trespasses: expected an array, got {}", name, describe(*list)));
  }
  std::vector<Trespass> trespasses;
  for (const nlohmann::json& item : *list) {
    const std::string place = fmt::format("{}: trespasses/{}", name, trespasses.size());
    Result<Trespass> trespass = trespass_from_json(item, place);
    if (!trespass) return tl::make_unexpected(trespass.error());
    if (problem.find(trespass->tensor) == nullptr) {
      return oracle::fail(ErrorCode::malformed,
                          fmt::format("{}: no tensor is named \"{}\"", place, trespass->tensor));
    }
    trespasses.push_back(std::move(*trespass));
  }
  return trespasses;
}

Result<double> seconds_from(const std::string& text, std::string_view name) {
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0' && std::isfinite(seconds) && seconds >= 0) return seconds;
  return oracle::fail(
      ErrorCode::malformed,
      fmt::format("{}: seconds: expected a number of at least 0, got \"{}\"", name, text));
}

Result<Execution> execution_from(TensorFile file, const Problem& problem, std::string_view name) {
  Execution execution;
  if (const auto found = file.metadata.find("trespasses"); found != file.metadata.end()) {
    Result<std::vector<Trespass>> trespasses = trespasses_from(found->second, problem, name);
    if (!trespasses) return tl::make_unexpected(trespasses.error());
    execution.trespasses = std::move(*trespasses);
  }
  if (const auto found = file.metadata.find("seconds"); found != file.metadata.end()) {
    const Result<double> seconds = seconds_from(found->second, name);
    if (!seconds) return tl::make_unexpected(seconds.error());
    execution.seconds = *seconds;  // without it none: the time of a process is not that of a kernel
  }
  Result<Outputs> outputs = outputs_from(std::move(file), problem, name);
  if (!outputs) return tl::make_unexpected(outputs.error());
  execution.outputs = std::move(*outputs);
  return execution;
}

}  // namespace

Result<Execution> read_answer(const fs::path& path, const Problem& problem) {
  constexpr std::string_view name = "its answer";
  Result<Execution> execution = read_safetensors(path).and_then(
      [&](TensorFile file) { return execution_from(std::move(file), problem, name); });
  if (!execution) return tl::make_unexpected(without_path(execution.error(), path, name));
  return execution;
}

}  // namespace harness
