// What the subcommands that read results share: files in, and what follows from them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/suite.hpp"
#include "harness/results/gate/merge.hpp"
#include "harness/results/verdict/conclusion.hpp"

namespace harness::cli {

// With the waivers in `waivers_path` as of today in UTC; where it is empty the records keep those
// that their run gave them.
Result<ConcludeOptions> conclude_options(const std::string& waivers_path);

// Reads the results of one run: of one file or folder, or of all shards of the run.
// `missing` says what the shards lack to be a whole run; the results are then not to be used.
Result<Merged> read_run(const std::vector<std::string>& paths, const SuiteKnowledge& knowledge);

// Reads each of them, whatever they are.
Result<std::vector<NamedResults>> read_all(const std::vector<std::string>& paths);

// What a command reads beside results: "waivers". An empty path is none.
struct OtherSource {
  std::string_view what;
  std::string path;
};

// Error: one of `targets`, files in which `written` ("a report") is to be, is one that was read.
// Empty paths are none.
Status nothing_read_is_written(std::string_view written, const std::vector<std::string>& targets,
                               const std::vector<std::string>& results, const OtherSource& beside);
// The files that a report in this folder is; none of an empty path.
std::vector<std::string> files_of_report(const std::string& folder);

}  // namespace harness::cli
