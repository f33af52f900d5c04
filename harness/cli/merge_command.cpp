// fp4cts merge: joins the results of shards, and proves that nothing is missing.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "harness/cli/commands.hpp"
#include "harness/cli/knowledge.hpp"
#include "harness/cli/results_input.hpp"
#include "harness/results/report/report.hpp"

namespace harness::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> shards;
  std::string report;
  std::string waivers;
  bool json = false;
};

// `merged` says where the records are written whole.
Status write_results(const std::string& folder, const ResultsFile& results, const Merged& merged) {
  Result<ResultsWriter> writer =
      ResultsWriter::create(fmt::format("{}/{}", folder, results_file_name));
  if (!writer) return tl::make_unexpected(writer.error());
  Status status = writer->write(to_json(results.header));
  const auto write = [&](const auto& records) {
    for (const auto& record : records) {
      if (status) status = writer->write(to_json(record));
    }
  };
  write(results.not_run);
  ShardRecords records(merged.files);
  for (std::size_t i = 0; status && i < results.cases.size(); ++i) {
    status = records.line_of(merged.sources[i], results.cases[i]).and_then([&](std::string line) {
      return writer->write_line(std::move(line));
    });
  }
  write(results.boards);
  write(results.coverage);
  return status ? writer->write(to_json(*results.end)) : status;
}

int merge(const Suite& suite, const MergeOptions& options) {
  if (Status status = nothing_read_is_written("a report", files_of_report(options.report),
                                              options.shards, {"waivers", options.waivers});
      !status) {
    return fail_with(exit_usage, status.error().message);
  }
  const SuiteKnowledge knowledge = knowledge_of(suite);
  Result<std::vector<NamedResults>> shards = read_all(options.shards);
  if (!shards) return fail_with(exit_usage, shards.error().message);
  Result<Merged> merged = merge_results(*std::move(shards), knowledge);
  if (!merged) return fail_with(exit_usage, merged.error().message);
  if (!merged->missing.empty()) {
    for (const std::string& line : merged->missing) fail_with(exit_incomplete, line);
    return fail_with(exit_incomplete,
                     "INCOMPLETE: the shards are not a whole run; nothing written");
  }
  Result<ConcludedRun> run =
      conclude_options(options.waivers).and_then([&](const ConcludeOptions& how) {
        return conclude(std::move(merged->results), "the shards together", knowledge, how);
      });
  if (!run) return fail_with(exit_usage, run.error().message);
  run->results.end = run->end;
  std::error_code error;
  std::filesystem::create_directories(options.report, error);
  if (error) {
    return fail_with(exit_usage,
                     fmt::format("cannot make the folder {}: {}", options.report, error.message()));
  }
  if (Status status = write_results(options.report, run->results, *merged); !status) {
    return fail_with(exit_usage, status.error().message);
  }
  if (Status status = write_report(options.report, *run); !status) {
    return fail_with(exit_error, status.error().message);
  }
  constexpr std::size_t max_failures = 20;
  const std::string text =
      options.json ? json_summary(*run).dump(2) + '\n' : text_summary(*run, max_failures);
  std::fputs(text.c_str(), stdout);
  return run->end.exit_code;
}

}  // namespace

void add_merge_command(CLI::App& app, const Suite& suite, Action& action) {
  CLI::App* command = app.add_subcommand(
      "merge", "join the results of shards into those of one run, or say what is missing");
  const auto options = std::make_shared<MergeOptions>();
  command->add_option("SHARDS", options->shards, "results of every shard: files or folders")
      ->required()
      ->type_name("PATH");
  command->add_option("--report", options->report, "folder for results.jsonl and the reports")
      ->required()
      ->type_name("DIR");
  command->add_option("--waivers", options->waivers, "known failures")->type_name("FILE");
  command->add_flag("--json", options->json, "the summary as a JSON object");
  command->footer(
      "Exit codes: 0 to 4 as the merged run's verdict; 2 also where the shards are not of one run "
      "or do not add up, "
      "4 also where one or one case is missing.");
  command->callback([&action, &suite, options] {
    action = [&suite, options] { return merge(suite, *options); };
  });
}

}  // namespace harness::cli
