// fp4cts fuzz: random cases, made small where they fail, saved, and replayed first the next time.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "harness/cli/catalog.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common_options.hpp"
#include "harness/cli/duts.hpp"
#include "harness/cli/fuzz_screen.hpp"
#include "harness/cli/interruption.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/results/verdict/plan.hpp"
#include "harness/results/verdict/requests.hpp"
#include "harness/run/fuzz.hpp"
#include "harness/run/run.hpp"
#include "harness/suite/profiles/profiles.hpp"

namespace harness::cli {
namespace {

struct FuzzOptions {
  Selection selection;
  double seconds = 60;
  std::uint64_t max_cases = 0;
  std::uint64_t max_case_bytes = 0;
  std::int64_t seed = -1;  // negative: none was given
  double shrink_seconds = 20;
  WorkerLimits limits;
  std::string failures = "fuzz-failures";
  std::vector<std::string> replay;
  OutputOptions output;
};

std::uint64_t any_seed() { return std::random_device()(); }

// What is run and what is not, of the implementations that are here.
struct Chosen {
  std::vector<std::unique_ptr<Implementation>> implementations;
  std::vector<NotRunRecord> not_run;
  std::vector<DeviceInfo> devices;
  std::vector<IdleGpu> idle_gpus;
};

class FuzzCommand {
 public:
  FuzzCommand(const Suite& suite, const FuzzOptions& options) : suite_(suite), options_(options) {}

  int run() {
    if (Status status = check_profile(); !status) {
      return fail_with(exit_usage, status.error().message);
    }
    // Before anything foreign is loaded, which could take them away.
    const Result<std::vector<SavedFailure>> saved = read_saved();
    if (!saved) return fail_with(exit_usage, saved.error().message);
    Result<Machine> machine =
        open_machine(suite_, options_.selection, worker_options(options_.limits));
    if (!machine) {
      const bool starved = machine.error().code == ErrorCode::out_of_memory;
      return fail_with(starved ? exit_error : exit_usage, machine.error().message);
    }
    Result<Chosen> chosen = choose(std::move(machine->catalog));
    if (!chosen) return fail_with(exit_error, chosen.error().message);
    return fuzz_all(*chosen, *saved);
  }

 private:
  Status check_profile() const {
    if (options_.selection.profile.empty()) return {};
    const auto profile = profile_named(options_.selection.profile);
    return profile ? Status{} : tl::make_unexpected(profile.error());
  }

  // A plan says which implementations there are; its cases are not used.
  Result<Chosen> choose(Catalog catalog) const {
    std::vector<ImplementationInfo> infos;
    for (const auto& each : catalog.implementations) infos.push_back(each->info());
    Selection selection = options_.selection;
    selection.level = Level::smoke;
    const Result<Plan> plan = make_plan(suite_.operations, infos, selection);
    if (!plan) return tl::make_unexpected(plan.error());
    Chosen chosen{{}, plan->not_run, catalog.devices, catalog.idle_gpus};
    chosen.not_run.insert(chosen.not_run.end(), catalog.not_run.begin(), catalog.not_run.end());
    for (const std::size_t used : plan->implementations) {
      chosen.implementations.push_back(std::move(catalog.implementations[used]));
    }
    return chosen;
  }

  Result<std::vector<SavedFailure>> read_saved() const {
    std::vector<std::string> places = options_.replay;
    if (places.empty() && !options_.failures.empty()) places = {options_.failures};
    std::vector<SavedFailure> saved;
    for (const std::string& place : places) {
      Result<std::vector<SavedFailure>> read = read_saved_failures(place, suite_.operations);
      if (!read) return read;
      saved.insert(saved.end(), read->begin(), read->end());
    }
    return saved;
  }

  int fuzz_all(const Chosen& chosen, const std::vector<SavedFailure>& saved) const {
    const bool replay_only = !options_.replay.empty();
    FuzzInputs inputs;
    inputs.operations = suite_.operations;
    inputs.implementations = chosen.implementations;
    inputs.saved = saved;
    inputs.profile = options_.selection.profile;
    inputs.seed = options_.seed < 0 ? any_seed() : static_cast<std::uint64_t>(options_.seed);
    inputs.seconds = replay_only ? 0 : options_.seconds;
    inputs.max_cases = options_.max_cases;
    inputs.max_case_bytes = options_.max_case_bytes;
    inputs.shrink_seconds = options_.shrink_seconds;
    inputs.threads = std::thread::hardware_concurrency();
    inputs.failures = options_.failures;
    inputs.command += under_test_words(options_.selection);
    inputs.interrupted = &interruption();
    if (!options_.output.quiet) {
      const std::string what = replay_only ? fmt::format("{} saved failures", saved.size())
                                           : fmt::format("--seed {}, {} saved failures first",
                                                         inputs.seed, saved.size());
      fmt::print(stderr, "fp4cts: {}, {} implementations\n", what, chosen.implementations.size());
    }
    FuzzScreen screen(options_.output, inputs.seconds, inputs.max_cases);
    const FuzzObserver observer{[&](const FuzzFailure& failure) { screen.failure(failure); },
                                [&](const FuzzProgress& progress) { screen.progress(progress); }};
    const Result<FuzzSummary> summary = fuzz(inputs, observer);
    if (!summary) return fail_with(exit_error, summary.error().message);
    return conclude_fuzzing(*summary, chosen, inputs.seed, screen);
  }

  // What was asked for by name and was given no case.
  std::vector<std::string> left_out(const FuzzSummary& summary, const Chosen& chosen) const {
    RunHeader header;
    header.selection = options_.selection;
    header.devices = chosen.devices;
    header.idle_gpus = chosen.idle_gpus;
    for (const auto& implementation : chosen.implementations) {
      const ImplementationInfo& info = implementation->info();
      const bool judged =
          std::any_of(summary.rows.begin(), summary.rows.end(), [&](const FuzzRow& row) {
            return row.judged != 0 && row.operation == info.operation && row.path == info.path &&
                   row.device == info.device;
          });
      if (judged) header.implementations.push_back(info);
    }
    std::vector<std::string> sentences;
    for (const Request& request : unmet_requests(header, {}, chosen.not_run)) {
      sentences.push_back(request.sentence);
    }
    for (const NotRunRecord& record : chosen.not_run) {
      if (record.requested && sentences.empty()) sentences.push_back(record.reason);
    }
    return sentences;
  }

  int conclude_fuzzing(const FuzzSummary& summary, const Chosen& chosen, std::uint64_t seed,
                       FuzzScreen& screen) const {
    const auto last_word = [&](std::string_view word, std::string_view hue, int exit_code) {
      screen.finish(summary, chosen.not_run, seed, word, hue);
      return exit_code;
    };
    if (summary.mismatches() != 0) return last_word("MISMATCH", red, exit_mismatch);
    if (summary.errors() != 0) return last_word("ERROR", red, exit_error);
    const std::vector<std::string> missing = left_out(summary, chosen);
    for (const std::string& sentence : missing) fail_with(exit_incomplete, sentence);
    if (summary.total.judged == 0 || summary.interrupted || !missing.empty()) {
      return last_word("INCOMPLETE", yellow, exit_incomplete);
    }
    return last_word("NO FAILURE FOUND", green, exit_conforms);
  }

  const Suite& suite_;
  const FuzzOptions& options_;
};

void add_options(CLI::App& command, const Suite& suite, FuzzOptions& options) {
  add_under_test_options(command, suite.kinds, options.selection);
  add_selection_options(command, options.selection);
  command
      .add_option("--seed", options.seed,
                  "of the cases: the same seed makes the same ones; any unless given, and said")
      ->check(whole_number(0, largest_seed))
      ->type_name("N")
      ->group(what_to_run_group);
  const std::map<std::string, double> units{{"s", 1}, {"m", 60}, {"h", 3600}};
  command.add_option("--time", options.seconds, "as 90, 90s, 10m or 8h; 60 s unless given")
      ->transform(CLI::AsNumberWithUnit(units))
      ->check(positive_number())
      ->type_name("TIME")
      ->group(limits_group);
  command
      .add_option("--cases", options.max_cases,
                  "random cases; as many as the time allows unless given")
      ->check(whole_number(1, INT64_MAX))
      ->type_name("N")
      ->group(limits_group);
  command
      .add_option("--max-case-bytes", options.max_case_bytes,
                  "leave out random cases whose tensors are larger together: bytes, or as 64KiB; "
                  "for what is slow, such as a simulator")
      ->transform(byte_count())
      ->group(limits_group);
  command
      .add_option("--shrink-time", options.shrink_seconds,
                  "that making one failure small may take; 20 s unless given")
      ->transform(CLI::AsNumberWithUnit(units))
      ->check(nonnegative_number())
      ->type_name("TIME")
      ->group(limits_group);
  add_limit_options(command, options.limits);
  const std::string failures = "Failures";
  CLI::Option* folder =
      command
          .add_option("--failures", options.failures,
                      "folder where failures are saved, and whose failures are replayed first; "
                      "fuzz-failures unless given")
          ->type_name("DIR")
          ->group(failures);
  command
      .add_flag_callback(
          "--no-save", [&options] { options.failures.clear(); }, "save and replay none")
      ->excludes(folder)
      ->group(failures);
  command
      .add_option("--replay", options.replay, "only replay these saved failures: files, folders")
      ->check(CLI::ExistingPath)
      ->type_name("PATH")
      ->group(failures);
  add_output_options(command, options.output,
                     "a JSON object on stdout for each failure, and one at the end");
}

}  // namespace

void add_fuzz_command(CLI::App& app, const Suite& suite, Action& action) {
  CLI::App* command = app.add_subcommand(
      "fuzz", "run random cases; what fails is made small, saved, and replayed the next time");
  const auto options = std::make_shared<FuzzOptions>();
  add_options(*command, suite, *options);
  command->footer(
      "Exit codes: 0 no failure was found, 1 mismatch, 2 bad usage or a bad file, 3 error, crash "
      "or "
      "time-out, 4 interrupted, or something that was named was not run.");
  command->callback([&action, &suite, options] {
    action = [&suite, options] { return FuzzCommand(suite, *options).run(); };
  });
}

}  // namespace harness::cli
