// fp4cts check: judges answer files beside golden ones, as `run` judges a kernel.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "harness/cli/commands.hpp"
#include "harness/cli/environment.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/screen.hpp"
#include "harness/cli/version.hpp"
#include "harness/files/sha256.hpp"
#include "harness/results/records/results_file.hpp"
#include "harness/results/verdict/verdict.hpp"
#include "harness/run/run.hpp"
#include "harness/suite/profiles/profiles.hpp"
#include "vectors/src/answer_check.hpp"
#include "vectors/src/golden.hpp"

namespace harness::cli {
namespace {

struct CheckOptions {
  std::string golden;
  std::string answer;
  std::string profile;
  std::string report;
  ScreenOptions screen;
};

Result<RunHeader> header_of(const CheckOptions& options, const AnswerCheck& check) {
  const std::vector<CaseRecord>& records = check.records;
  RunHeader header;
  header.suite_version = suite_version();
  header.suite_commit = suite_commit();
  header.started = utc_now();
  header.selection.devices = {answers_from_outside};
  header.selection.profile = options.profile;
  header.plan_total = records.size();
  header.plan_planned = records.size();
  Sha256 plan;
  for (const CaseRecord& record : records) {
    plan.update(record.key() + ' ' + record.case_sha256 + '\n');
  }
  header.plan_sha256 = plan.hex();
  header.environment = environment();
  header.vectors_sha256 = vectors_sha256();
  header.not_run_rows = check.unusable.size();
  for (const oracle::Profile* used : check.profiles) {
    Result<JudgedProfile> profile = judged_profile(used->name);
    if (!profile) return tl::make_unexpected(profile.error());
    header.profiles.push_back(*std::move(profile));
  }
  return header;
}

Result<std::optional<ResultsWriter>> open_report(const std::string& folder) {
  if (folder.empty()) return std::nullopt;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return oracle::fail(ErrorCode::io_error,
                        fmt::format("cannot make the folder {}: {}", folder, error.message()));
  }
  return ResultsWriter::create(fmt::format("{}/{}", folder, results_file_name))
      .map([](ResultsWriter writer) { return std::optional<ResultsWriter>(std::move(writer)); });
}

// A file that cannot be judged by, in a row of its own.
NotRunRecord row_of(const std::string& unusable) { return {"", "", "", unusable, true}; }

EndRecord end_of(const AnswerCheck& check, const RunHeader& header) {
  PlannedRun plan;
  for (const CaseRecord& record : check.records) {
    plan.rows.push_back({record.index, record.case_id, record.case_sha256, record.operation,
                         record.path, record.device});
  }
  VerdictBook book(header, plan, {});
  for (const CaseRecord& record : check.records) book.add(record);
  for (const std::string& file : check.unusable) book.add(row_of(file));
  EndRecord end = book.conclude(false);
  end.finished = utc_now();
  return end;
}

int run(const CheckOptions& options) {
  const oracle::Profile* declared = nullptr;
  if (!options.profile.empty()) {
    const auto profile = profile_named(options.profile);
    if (!profile) return fail_with(exit_usage, profile.error().message);
    declared = *profile;
  }
  const auto check = check_answers(options.golden, options.answer, declared);
  if (!check) return fail_with(exit_usage, check.error().message);
  auto writer = open_report(options.report);
  if (!writer) return fail_with(exit_usage, writer.error().message);

  const Result<RunHeader> header = header_of(options, *check);
  if (!header) return fail_with(exit_error, header.error().message);
  const EndRecord end = end_of(*check, *header);
  std::map<std::uint64_t, double> work;  // files are compared: one is like another
  for (const CaseRecord& record : check->records) work[record.index] = 1;
  Screen screen(options.screen, std::move(work), {});
  const auto write = [&](const nlohmann::ordered_json& record) -> Status {
    screen.record(record);
    return *writer ? (*writer)->write(record) : Status{};
  };
  Status written = write(to_json(*header));
  for (const std::string& file : check->unusable) {
    if (written) written = write(to_json(row_of(file)));
  }
  for (const CaseRecord& record : check->records) {
    if (written) written = write(to_json(record));
    screen.case_done(record);
  }
  if (written) written = write(to_json(end));
  if (!written) return fail_with(exit_error, written.error().message);
  screen.finish(end, {}, *writer ? (*writer)->path() : "");
  return end.exit_code;
}

}  // namespace

void add_check_command(CLI::App& app, const Suite& /*suite*/, Action& action) {
  const auto options = std::make_shared<CheckOptions>();
  options->screen.quiet = true;
  CLI::App* command =
      app.add_subcommand("check", "judges the files that your program wrote beside golden files");
  command->add_option("golden", options->golden, "a golden file, or a folder of them")
      ->required()
      ->type_name("PATH");
  command->add_option("answer", options->answer, "the answer file, or the folder of them")
      ->required()
      ->type_name("PATH");
  command->add_option(
      "--profile", options->profile,
      "judge by this profile, or the one in this file, instead of the one that the golden "
      "file names");
  command->add_option("--report", options->report, "folder for results.jsonl")->type_name("DIR");
  command
      ->add_option("--max-errors", options->screen.max_errors,
                   "show this many wrong cases and count the rest; 20 unless given")
      ->check(whole_number(0, INT64_MAX));
  command->add_flag("--json", options->screen.json,
                    "the records on stdout, one JSON object a line");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace harness::cli
