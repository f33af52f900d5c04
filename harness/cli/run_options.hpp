// What `fp4cts run` was asked for.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/cli/common_options.hpp"
#include "harness/cli/screen.hpp"
#include "harness/cli/suite.hpp"
#include "harness/results/records/results.hpp"

namespace harness::cli {

struct RunOptions {
  Selection selection;
  std::string level = "standard";
  std::int64_t seed = 0;
  std::string shard;  // empty: from the environment
  std::string report;
  bool no_report = false;
  std::string resume;
  std::string waivers;
  bool require_device = false;
  WorkerLimits limits;
  ScreenOptions screen;
  // Those that say what to run or where its results go: a resumed run has them from its file.
  std::vector<const CLI::Option*> choosing;
};

void add_run_options(CLI::App& command, const Suite& suite, RunOptions& options);

// Error: options that contradict each other.
Status check_combination(const RunOptions& options);

// The selection with level, seed and shard read. Error: names the option and its valid values.
Result<Selection> selection_of(const RunOptions& options);

}  // namespace harness::cli
