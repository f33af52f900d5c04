// Options that several subcommands have, in the same words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "harness/cli/terminal.hpp"
#include "harness/results/records/results.hpp"

namespace harness::cli {

inline constexpr const char* what_to_run_group = "What to run";
inline constexpr const char* limits_group = "Limits";
inline constexpr const char* output_group = "Output";

// An option that takes a list, by commas or given more than once.
CLI::Option* add_list(CLI::App& command, const std::string& name, std::vector<std::string>& to,
                      const std::string& help);

// --device.
CLI::Option* add_device_option(CLI::App& command, Selection& selection);

// --device, --op, --path and --profile.
std::vector<CLI::Option*> add_selection_options(CLI::App& command, Selection& selection);

// --timeout and --memory-limit.
struct WorkerLimits {
  double timeout_seconds = 60;
  std::uint64_t memory_limit_bytes = 0;  // 0: none
};
void add_limit_options(CLI::App& command, WorkerLimits& limits);

// --json, --quiet and --no-color. `json_help`: what stdout then holds.
void add_output_options(CLI::App& command, OutputOptions& output, const std::string& json_help);

}  // namespace harness::cli
