// fp4cts report: reports from results.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "harness/cli/commands.hpp"
#include "harness/cli/knowledge.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/results_input.hpp"
#include "harness/files/file.hpp"
#include "harness/results/report/report.hpp"

namespace harness::cli {
namespace {

struct ReportOptions {
  std::vector<std::string> results;
  std::string report;
  std::string html;
  std::string junit;
  std::string waivers;
  std::size_t max_errors = 20;
  bool json = false;
  bool markdown = false;
};

Status write_files(const ReportOptions& options, const ConcludedRun& run) {
  std::vector<std::string> targets = files_of_report(options.report);
  targets.insert(targets.end(), {options.html, options.junit});
  if (Status status = nothing_read_is_written("a report", targets, options.results,
                                              {"waivers", options.waivers});
      !status) {
    return status;
  }
  if (!options.report.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.report, error);
    if (error) {
      return oracle::fail(ErrorCode::io_error, fmt::format("cannot make the folder {}: {}",
                                                           options.report, error.message()));
    }
    if (Status status = write_report(options.report, run); !status) {
      return status;
    }
  }
  if (!options.html.empty()) {
    if (Status status = write_text_file(options.html, html_report(run)); !status) {
      return status;
    }
  }
  if (options.junit.empty()) return {};
  return write_text_file(options.junit, junit_xml(run));
}

int report(const Suite& suite, const ReportOptions& options) {
  const SuiteKnowledge knowledge = knowledge_of(suite);
  Result<Merged> merged = read_run(options.results, knowledge);
  if (!merged) return fail_with(exit_usage, merged.error().message);
  if (!merged->missing.empty()) {
    for (const std::string& line : merged->missing) fail_with(exit_incomplete, line);
    return fail_with(exit_incomplete, "INCOMPLETE: the shards are not a whole run");
  }
  const Result<ConcludedRun> run =
      conclude_options(options.waivers).and_then([&](const ConcludeOptions& how) {
        return conclude(std::move(merged->results), options.results.front(), knowledge, how);
      });
  if (!run) return fail_with(exit_usage, run.error().message);
  if (Status status = write_files(options, *run); !status) {
    return fail_with(exit_usage, status.error().message);
  }
  const std::string text = options.json       ? json_summary(*run).dump(2) + '\n'
                           : options.markdown ? markdown_report(*run, options.max_errors)
                                              : text_summary(*run, options.max_errors);
  std::fputs(text.c_str(), stdout);
  return run->end.exit_code;
}

}  // namespace

void add_report_command(CLI::App& app, const Suite& suite, Action& action) {
  CLI::App* command = app.add_subcommand(
      "report", "write HTML, JUnit and summaries from results, and say the verdict again");
  const auto options = std::make_shared<ReportOptions>();
  command
      ->add_option("RESULTS", options->results, "a results file or folder, or all shards of a run")
      ->required()
      ->type_name("PATH");
  command
      ->add_option("--report", options->report,
                   "folder for report.html, junit.xml, summary.json and summary.txt")
      ->type_name("DIR");
  command->add_option("--html", options->html, "the HTML page alone")->type_name("FILE");
  command->add_option("--junit", options->junit, "the JUnit XML alone")->type_name("FILE");
  command->add_option("--waivers", options->waivers, "known failures")->type_name("FILE");
  command
      ->add_option("--max-errors", options->max_errors, "list this many failures; 20 unless given")
      ->check(whole_number(0, INT64_MAX));
  CLI::Option* json = command->add_flag("--json", options->json, "the summary as a JSON object");
  command
      ->add_flag(
          "--markdown", options->markdown,
          "the summary as Markdown, failures of one cause together: for a job's summary or a "
          "comment")
      ->excludes(json);
  command->footer(
      "Exit codes: the verdict's, as of run; 2 bad usage or input, or results that do not add up: "
      "the "
      "verdict is drawn again from header, plan and records, and right bytes are computed again.");
  command->callback([&action, &suite, options] {
    action = [&suite, options] { return report(suite, *options); };
  });
}

}  // namespace harness::cli
