#include "harness/cli/run_options.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "harness/cli/common_options.hpp"
#include "harness/cli/duts.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/run/run.hpp"
#include "harness/run/shard.hpp"
#include "harness/suite/profiles/profiles.hpp"

namespace harness::cli {
void add_run_options(CLI::App& command, const Suite& suite, RunOptions& options) {
  Selection& selection = options.selection;
  const std::vector<CLI::Option*> under_test =
      add_under_test_options(command, suite.kinds, selection);
  const std::vector<CLI::Option*> selecting = add_selection_options(command, selection);
  const std::vector<CLI::Option*> more{
      add_list(command, "--filter", selection.filters, "only cases that match one of these globs"),
      add_list(command, "--exclude", selection.excludes, "no case that matches one of these globs"),
      command.add_option("--level", options.level,
                         "smoke, standard (the default), full or exhaustive"),
      command.add_option("--seed", options.seed, "of random cases; 0 unless given")
          ->check(whole_number(0, largest_seed)),
      command.add_option("--shard", options.shard,
                         "I/N: part I of N, from 0 on; also read from Slurm's and Kubernetes' "
                         "variables")};
  for (CLI::Option* option : more) option->group(what_to_run_group);

  const std::string results = "Results";
  CLI::Option* report = command.add_option(
      "--report", options.report,
      "folder for results.jsonl and its reports; results/<UTC time> unless given");
  CLI::Option* no_report = command.add_flag("--no-report", options.no_report, "write no results");
  command.add_option("--waivers", options.waivers, "known failures, a JSON file")
      ->group(results)
      ->type_name("FILE");
  report->group(results);
  no_report->group(results);
  command
      .add_option("--resume", options.resume,
                  "go on with an interrupted run: its results file or folder")
      ->group(results);
  options.choosing.assign(selecting.begin(), selecting.end());
  options.choosing.insert(options.choosing.end(), more.begin(), more.end());
  options.choosing.insert(options.choosing.end(), under_test.begin(), under_test.end());
  options.choosing.insert(options.choosing.end(), {report, no_report});

  command
      .add_flag("--require-device", options.require_device,
                "a requested device that is missing is exit code 3; with --device all, a "
                "machine without a GPU is")
      ->group(limits_group);
  add_limit_options(command, options.limits);
  command
      .add_option("--max-errors", options.screen.max_errors,
                  "show this many wrong cases and count the rest; 20 unless given")
      ->check(whole_number(0, INT64_MAX))
      ->group(output_group);
  add_output_options(command, options.screen, "the records on stdout, one JSON object a line");
}

Status check_combination(const RunOptions& options) {
  for (const CLI::Option* option : options.choosing) {
    if (options.resume.empty() || option->count() == 0) continue;
    return oracle::fail(
        ErrorCode::invalid_argument,
        fmt::format("--resume goes on with what is in its file; {} cannot change it",
                    option->get_name()));
  }
  if (options.no_report && !options.report.empty()) {
    return oracle::fail(ErrorCode::invalid_argument, "--report and --no-report exclude each other");
  }
  return {};
}

Result<Selection> selection_of(const RunOptions& options) {
  Selection selection = options.selection;
  const std::optional<Level> level = level_named(options.level);
  if (!level) {
    return oracle::fail(
        ErrorCode::unknown_name,
        fmt::format("no level is named '{}'; there are: smoke, standard, full, exhaustive",
                    options.level));
  }
  selection.level = *level;
  selection.seed = static_cast<std::uint64_t>(options.seed);
  if (!selection.profile.empty()) {
    if (const auto profile = profile_named(selection.profile); !profile) {
      return tl::make_unexpected(profile.error());
    }
  }
  const Result<Shard> shard =
      options.shard.empty()
          ? shard_of_environment([](const char* name) -> const char* { return std::getenv(name); })
          : parse_shard(options.shard);
  if (!shard) return tl::make_unexpected(shard.error());
  selection.shard = *shard;
  if (selection.devices.empty()) selection.devices = {"all"};
  return selection;
}

}  // namespace harness::cli
