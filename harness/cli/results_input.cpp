#include "harness/cli/results_input.hpp"

#include <fmt/format.h>

#include "harness/run/run.hpp"

namespace harness::cli {

Result<WaivedResults> with_waivers(ResultsFile results, const std::string& waivers_path) {
  if (waivers_path.empty()) return WaivedResults{std::move(results), {}};
  const Result<std::vector<Waiver>> waivers = read_waivers(waivers_path);
  if (!waivers) return tl::make_unexpected(waivers.error());
  WaivedResults waived{std::move(results), {}};
  constexpr std::size_t day = 10;  // of "2026-11-29T20:09:22Z"
  waived.waivers = apply_waivers(waived.results, *waivers, utc_now().substr(0, day));
  return waived;
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

Result<Merged> read_run(const std::vector<std::string>& paths) {
  Result<std::vector<NamedResults>> all = read_all(paths);
  if (!all) return tl::make_unexpected(all.error());
  if (all->size() == 1) return Merged{std::move(all->front().results), {}};
  return merge_results(*all);
}

}  // namespace harness::cli
