// fp4cts diff: what changed between two runs.
#include <cstdio>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/results_input.hpp"
#include "harness/results/gate/diff.hpp"

namespace harness::cli {
namespace {

struct DiffOptions {
  std::string baseline;
  std::string now;
  std::string waivers;
  std::size_t max_errors = 20;
  bool json = false;
};

int diff(const DiffOptions& options) {
  const Result<ResultsFile> baseline = read_results(options.baseline);
  if (!baseline) return fail_with(exit_usage, baseline.error().message);
  Result<ResultsFile> now = read_results(options.now);
  if (!now) return fail_with(exit_usage, now.error().message);
  const Result<WaivedResults> waived = with_waivers(*std::move(now), options.waivers);
  if (!waived) return fail_with(exit_usage, waived.error().message);
  const Result<Diff> diff = diff_results(*baseline, waived->results);
  if (!diff) return fail_with(exit_usage, diff.error().message);
  std::fputs(
      (options.json ? to_json(*diff).dump(2) + '\n' : to_text(*diff, options.max_errors)).c_str(),
      stdout);
  return diff->exit_code();
}

}  // namespace

void add_diff_command(CLI::App& app, Action& action) {
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
  command->add_option("--max-errors", options->max_errors,
                      "list this many changes of each kind; 20 unless given");
  command->add_flag("--json", options->json, "one JSON object with every change");
  command->footer(
      "Exit codes: 0 identical, or only fixed, new and waived cases; 1 new failures or other "
      "output "
      "bytes; 2 bad usage or input; 4 cases vanished or newly not run, or the new run was killed.");
  command->callback([&action, options] { action = [options] { return diff(*options); }; });
}

}  // namespace harness::cli
