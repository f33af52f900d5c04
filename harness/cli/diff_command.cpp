// fp4cts diff: what changed between two runs.
#include <cstdio>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/knowledge.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/results_input.hpp"
#include "harness/files/file.hpp"
#include "harness/results/gate/diff.hpp"

namespace harness::cli {
namespace {

struct DiffOptions {
  std::string baseline;
  std::string now;
  std::string waivers;
  std::size_t max_errors = 20;
  bool json = false;
  std::string junit;
};

int diff(const Suite& suite, const DiffOptions& options) {
  if (Status status =
          nothing_read_is_written("a report", {options.junit}, {options.baseline, options.now},
                                  {"waivers", options.waivers});
      !status) {
    return fail_with(exit_usage, status.error().message);
  }
  const SuiteKnowledge knowledge = knowledge_of(suite);
  const auto read = [&](const std::string& path, const ConcludeOptions& how) {
    return read_results(path).and_then(
        [&](ResultsFile results) { return conclude(std::move(results), path, knowledge, how); });
  };
  Result<ConcludeOptions> how = conclude_options(options.waivers);
  if (!how) return fail_with(exit_usage, how.error().message);
  ConcludeOptions how_before;
  how_before.other_builds = true;  // a baseline is often that of an older suite
  const Result<ConcludedRun> baseline = read(options.baseline, how_before);
  if (!baseline) return fail_with(exit_usage, baseline.error().message);
  const Result<ConcludedRun> now = read(options.now, *how);
  if (!now) return fail_with(exit_usage, now.error().message);
  const Result<Diff> diff = diff_results(*baseline, *now);
  if (!diff) return fail_with(exit_usage, diff.error().message);
  if (!options.junit.empty()) {
    if (Status status = write_text_file(options.junit, diff_junit(*diff)); !status) {
      return fail_with(exit_usage, status.error().message);
    }
  }
  std::fputs(
      (options.json ? to_json(*diff).dump(2) + '\n' : to_text(*diff, options.max_errors)).c_str(),
      stdout);
  return diff->exit_code();
}

}  // namespace

void add_diff_command(CLI::App& app, const Suite& suite, Action& action) {
  CLI::App* command =
      app.add_subcommand("diff", "compare a run with a baseline: verdicts, and bytes by digest");
  const auto options = std::make_shared<DiffOptions>();
  command->add_option("BASELINE", options->baseline, "results file or folder to compare with")
      ->required()
      ->type_name("PATH");
  command->add_option("NOW", options->now, "results file or folder of the new run")
      ->required()
      ->type_name("PATH");
  command->add_option("--waivers", options->waivers, "new failures that these cover do not fail")
      ->type_name("FILE");
  command
      ->add_option("--max-errors", options->max_errors,
                   "list this many changes of each kind; 20 unless given")
      ->check(whole_number(0, INT64_MAX));
  command->add_flag("--json", options->json, "one JSON object with every change");
  command
      ->add_option("--junit", options->junit,
                   "JUnit XML beside it: a test for each change, red where the exit code is not 0")
      ->type_name("FILE");
  command->footer(
      "Exit codes: 0 identical, or only fixed, new and waived cases; 1 new failures, other output "
      "bytes or stale waivers; 2 bad usage or input, or results that do not add up; 4 cases "
      "vanished "
      "or newly not run, a run that is not complete or was judged by another profile, or nothing "
      "to "
      "compare.");
  command->callback(
      [&action, &suite, options] { action = [&suite, options] { return diff(suite, *options); }; });
}

}  // namespace harness::cli
