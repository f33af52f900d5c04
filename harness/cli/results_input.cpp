#include "harness/cli/results_input.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "harness/results/report/report.hpp"
#include "harness/run/run.hpp"

namespace harness::cli {

Result<ConcludeOptions> conclude_options(const std::string& waivers_path) {
  ConcludeOptions options;
  if (waivers_path.empty()) return options;
  Result<std::vector<Waiver>> waivers = read_waivers(waivers_path);
  if (!waivers) return tl::make_unexpected(waivers.error());
  constexpr std::size_t day = 10;  // of "2026-11-29T20:09:22Z"
  options.waivers = *std::move(waivers);
  options.today = utc_now().substr(0, day);
  return options;
}

Result<std::vector<NamedResults>> read_all(const std::vector<std::string>& paths) {
  std::vector<NamedResults> all;
  for (const std::string& path : paths) {
    Result<ResultsFile> results = read_results(path);
    if (!results) return tl::make_unexpected(results.error());
    all.push_back({path, *std::move(results)});
  }
  return all;
}

Result<Merged> read_run(const std::vector<std::string>& paths, const SuiteKnowledge& knowledge) {
  Result<std::vector<NamedResults>> all = read_all(paths);
  if (!all) return tl::make_unexpected(all.error());
  if (all->size() == 1) return Merged{{}, {}, std::move(all->front().results), {}};
  return merge_results(*std::move(all), knowledge);
}

Status nothing_read_is_written(std::string_view written, const std::vector<std::string>& targets,
                               const std::vector<std::string>& results, const OtherSource& beside) {
  const auto check = [&](const std::string& source, std::string_view what) -> Status {
    for (const std::string& target : targets) {
      std::error_code error;
      if (target.empty() || source.empty() || !std::filesystem::equivalent(target, source, error)) {
        continue;
      }
      return oracle::fail(
          ErrorCode::invalid_argument,
          fmt::format("{} holds the {}: {} would be written over it", target, what, written));
    }
    return {};
  };
  for (const std::string& path : results) {
    if (Status status = check(results_path(path), "results"); !status) return status;
  }
  return check(beside.path, beside.what);
}

std::vector<std::string> files_of_report(const std::string& folder) {
  std::vector<std::string> files;
  if (folder.empty()) return files;
  for (const std::string_view name : report_file_names) {
    files.push_back(fmt::format("{}/{}", folder, name));
  }
  return files;
}

}  // namespace harness::cli
