// What the subcommands that read results share: files in, waivers on top.
#pragma once

#include <string>
#include <vector>

#include "harness/results/gate/merge.hpp"
#include "harness/results/gate/waivers.hpp"
#include "harness/results/records/results_file.hpp"

namespace harness::cli {

// Results with waivers applied, as of today in UTC.
struct WaivedResults {
  ResultsFile results;
  std::vector<WaiverUse> waivers;
};

// `waivers_path` may be empty: the records keep the waivers that their run gave them.
Result<WaivedResults> with_waivers(ResultsFile results, const std::string& waivers_path);

// Reads the results of one run: of one file or folder, or of all shards of the run.
// `missing` says what the shards lack to be a whole run; the results are then not to be used.
Result<Merged> read_run(const std::vector<std::string>& paths);

// Reads each of them, whatever they are.
Result<std::vector<NamedResults>> read_all(const std::vector<std::string>& paths);

}  // namespace harness::cli
