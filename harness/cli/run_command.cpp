// fp4cts run: plans cases, runs them, compares, reports.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include "harness/cli/boards.hpp"
#include "harness/cli/catalog.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/duts.hpp"
#include "harness/cli/interruption.hpp"
#include "harness/cli/knowledge.hpp"
#include "harness/cli/results_input.hpp"
#include "harness/cli/run_header.hpp"
#include "harness/cli/run_options.hpp"
#include "harness/cli/screen.hpp"
#include "harness/results/gate/waivers.hpp"
#include "harness/results/records/results_file.hpp"
#include "harness/results/report/report.hpp"
#include "harness/results/verdict/plan.hpp"
#include "harness/run/run.hpp"

namespace harness::cli {
namespace {

// The folder of a run that was not given one.
std::string default_folder() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("results/{:%Y%m%dT%H%M%SZ}", fmt::gmtime(now));
}

// The folder of a run that was not given one, made: of two runs that begin in one second each has
// its own.
std::string make_default_folder() {
  const std::string name = default_folder();
  std::error_code error;
  std::filesystem::create_directories("results", error);
  std::string folder = name;
  for (unsigned number = 2; !std::filesystem::create_directory(folder, error) && !error; ++number) {
    folder = fmt::format("{}-{}", name, number);
  }
  return folder;
}

Result<ResultsWriter> new_results(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return oracle::fail(ErrorCode::io_error,
                        fmt::format("cannot make the folder {}: {} (--report DIR chooses another, "
                                    "--no-report does without)",
                                    folder, error.message()));
  }
  const std::string path = fmt::format("{}/{}", folder, results_file_name);
  Result<ResultsWriter> writer = ResultsWriter::create(path);
  if (writer) return writer;
  return oracle::fail(
      writer.error().code,
      fmt::format("{}; --resume {} goes on with a run that was interrupted, --report "
                  "chooses another folder",
                  writer.error().message, folder));
}

bool has_cases(const Plan& plan, const Catalog& catalog, const std::string& device) {
  return std::any_of(
      plan.implementations.begin(), plan.implementations.end(),
      [&](std::size_t used) { return catalog.implementations[used]->info().device == device; });
}

// Why nothing runs on a device.
std::string why_idle(const Plan& plan, const Catalog& catalog, const std::string& device) {
  for (const auto* rows : {&catalog.not_run, &plan.not_run}) {
    for (const NotRunRecord& record : *rows) {
      if (record.device == device) {
        return fmt::format("{} {}: {}", record.operation, record.path, record.reason);
      }
    }
  }
  return "no selected case is for it";
}

// What --require-device misses: a device that was named, or with "all" a GPU of this machine, on
// which nothing runs; empty where there is none.
std::string missing_device(const Survey& survey, const Catalog& catalog, const Plan& plan,
                           const Selection& selection) {
  bool all = false;
  for (const std::string& name : selection.devices) {
    all = all || name == "all";
    if (name == "all") continue;
    std::vector<std::string> devices;
    for (const DeviceInfo& device : survey.present) {
      if (selects_device({name}, device.name)) devices.push_back(device.name);
    }
    if (devices.empty()) devices.push_back(name);
    for (const std::string& device : devices) {
      if (has_cases(plan, catalog, device)) continue;
      return fmt::format("nothing runs on {}: {}", device, why_idle(plan, catalog, device));
    }
  }
  if (!all) return {};
  std::string reasons;
  for (const DeviceInfo& device : survey.present) {
    if (device.name == "cpu" || device.name == interpreter) continue;
    if (has_cases(plan, catalog, device.name)) return {};
    reasons += fmt::format("; {}: {}", device.name, why_idle(plan, catalog, device.name));
  }
  for (const Survey::Absent& absent : survey.absent) {
    reasons += fmt::format("; {}: {}", absent.kind, absent.reason);
  }
  return "this machine has no GPU on which something runs" + reasons;
}

// One run from its options to its exit code.
class RunCommand {
 public:
  RunCommand(const Suite& suite, const RunOptions& options) : suite_(suite), options_(options) {}

  int run() {
    if (Status status = choose(); !status) return fail_with(exit_usage, status.error().message);
    const int exit_code = run_on_machine();
    // The workers are gone, and with them all that they started.
    if (!end_) return exit_code;
    if (Status status = write_reports(); !status) {
      return fail_with(exit_error, status.error().message);
    }
    return exit_code;
  }

 private:
  int run_on_machine() {
    const Result<Machine> machine =
        open_machine(suite_, selection_, worker_options(options_.limits));
    if (!machine) {
      const bool starved = machine.error().code == ErrorCode::out_of_memory;
      return fail_with(starved ? exit_error : exit_usage, machine.error().message);
    }
    const Catalog& catalog = machine->catalog;
    std::vector<ImplementationInfo> infos;
    for (const auto& each : catalog.implementations) infos.push_back(each->info());
    const Result<Plan> plan = make_plan(suite_.operations, infos, selection_);
    if (!plan) return fail_with(exit_error, plan.error().message);
    if (options_.require_device) {
      const std::string missing = missing_device(machine->survey, catalog, *plan, selection_);
      if (!missing.empty()) return fail_with(exit_error, "--require-device: " + missing);
    }
    return run_plan_of(catalog, *plan);
  }

  // What to run: by the options, or by the file that is resumed.
  Status choose() {
    if (Status status = check_combination(options_); !status) return status;
    // Before anything foreign is loaded, which could write them.
    Result<ConcludeOptions> given = conclude_options(options_.waivers);
    if (!given) return tl::make_unexpected(given.error());
    how_ = *std::move(given);
    if (options_.resume.empty()) {
      Result<Selection> selection = selection_of(options_);
      if (!selection) return tl::make_unexpected(selection.error());
      selection_ = std::move(*selection);
      return {};
    }
    // Locked before it is read: what is read is what is gone on with.
    Result<ResultsWriter> writer = ResultsWriter::open(results_path(options_.resume));
    if (!writer) return tl::make_unexpected(writer.error());
    writer_ = std::move(*writer);
    Result<ResultsFile> before = read_results(options_.resume);
    if (!before) return tl::make_unexpected(before.error());
    selection_ = before->header.selection;
    // What is kept is not run again: it must be believable.
    ConcludeOptions how;
    Result<ConcludedRun> concluded =
        conclude(*std::move(before), options_.resume, knowledge_of(suite_), how);
    if (!concluded) return tl::make_unexpected(concluded.error());
    before_ = std::move(concluded->results);
    return {};
  }

  // A run that was killed before its first case begins anew.
  bool goes_on() const { return before_ && !before_->cases.empty(); }

  Status open_results(const RunHeader& header) {
    if (options_.no_report) return {};
    if (before_) {
      if (Status status = check_same_run(before_->header, header); !status) return status;
      return writer_->keep(goes_on() ? before_->keep_bytes : 0);
    }
    Result<ResultsWriter> writer =
        new_results(options_.report.empty() ? make_default_folder() : options_.report);
    if (!writer) return tl::make_unexpected(writer.error());
    writer_ = std::move(*writer);
    return {};
  }

  int run_plan_of(const Catalog& catalog, const Plan& plan) {
    const Result<RunHeader> made = make_header(suite_, selection_, catalog, plan);
    if (!made) return fail_with(exit_usage, made.error().message);
    RunHeader header = *made;
    const WorkerOptions worker = worker_options(options_.limits);
    // A run that goes on has them from its beginning.
    header.environment["boards"] =
        goes_on() ? before_->header.environment.value("boards", nlohmann::ordered_json::array())
                  : boards_of(suite_, catalog.devices, worker);
    if (how_.waivers) waivers_.emplace(*how_.waivers, header, how_.today);
    if (Status status = open_results(header); !status) {
      return fail_with(exit_usage, status.error().message);
    }
    std::vector<NotRunRecord> not_run = plan.not_run;
    not_run.insert(not_run.end(), catalog.not_run.begin(), catalog.not_run.end());
    const std::vector<CaseRecord> none;
    const std::vector<CaseRecord>& done_before = before_ ? before_->cases : none;
    Screen screen(options_.screen, work_of(plan), done_before);
    RunObserver observer;
    observer.write = [&](const nlohmann::ordered_json& record) -> Status {
      screen.record(record);
      return writer_ ? writer_->write(record) : Status{};
    };
    if (waivers_) {
      observer.waive = [&](CaseRecord& record) { waivers_->apply(record); };
      observer.waiver_faults = [&] { return waiver_faults(waivers_->uses()); };
    }
    observer.case_done = [&](const CaseRecord& record) { screen.case_done(record); };
    if (!goes_on()) {
      if (Status status = write_head(observer, header, not_run); !status) {
        return fail_with(exit_error, status.error().message);
      }
    }
    RunInputs inputs;
    inputs.operations = suite_.operations;
    inputs.implementations = catalog.implementations;
    inputs.devices = catalog.devices;
    inputs.plan = &plan;
    inputs.header = header;
    inputs.not_run = not_run;
    inputs.done_before = done_before;
    inputs.memory_room = [] { return memory_room(); };
    inputs.oom_kills = [] { return oom_kills(); };
    inputs.boards = [&] {
      return board_records(header.environment.at("boards"),
                           boards_of(suite_, catalog.devices, worker));
    };
    inputs.interrupted = &interruption();
    const Result<EndRecord> end = run_plan(inputs, observer);
    if (!end) return fail_with(exit_error, end.error().message);
    screen.finish(*end, not_run, writer_ ? writer_->path() : "");
    end_ = *end;
    return end->exit_code;
  }

  // What each case costs, about: its bytes, and what any case takes.
  static std::map<std::uint64_t, double> work_of(const Plan& plan) {
    constexpr double every_case_bytes = 1 << 20;
    std::map<std::uint64_t, double> work;
    for (const PlannedCase& planned : plan.planned) {
      work[planned.index] =
          every_case_bytes + static_cast<double>(plan.cases[planned.case_index].device_bytes);
    }
    return work;
  }

  // From the file itself, so that the reports say what is in it: what was written, and nothing
  // else. Its bytes were just compared.
  Status write_reports() {
    if (!writer_) return {};
    if (Status status = writer_->check_unchanged(); !status) return status;
    ConcludeOptions how = how_;
    how.bytes = false;
    const Result<ConcludedRun> run =
        read_results(writer_->path()).and_then([&](ResultsFile results) {
          return conclude(std::move(results), writer_->path(), knowledge_of(suite_), how);
        });
    if (!run) return tl::make_unexpected(run.error());
    const std::filesystem::path folder = std::filesystem::path(writer_->path()).parent_path();
    return write_report(folder.empty() ? "." : folder.string(), *run);
  }

  static Status write_head(const RunObserver& observer, const RunHeader& header,
                           const std::vector<NotRunRecord>& not_run) {
    if (Status status = observer.write(to_json(header)); !status) return status;
    for (const NotRunRecord& record : not_run) {
      if (Status status = observer.write(to_json(record)); !status) return status;
    }
    return {};
  }

  const Suite& suite_;
  const RunOptions& options_;
  Selection selection_;
  std::optional<ResultsFile> before_;
  std::optional<ResultsWriter> writer_;
  ConcludeOptions how_;
  std::optional<WaiverBook> waivers_;
  std::optional<EndRecord> end_;  // of a run that came to its end
};

}  // namespace

void add_run_command(CLI::App& app, const Suite& suite, Action& action) {
  CLI::App* command =
      app.add_subcommand("run", "run cases on implementations and compare every byte");
  const auto options = std::make_shared<RunOptions>();
  add_run_options(*command, suite, *options);
  command->callback([&action, &suite, options] {
    action = [&suite, options] { return RunCommand(suite, *options).run(); };
  });
}

}  // namespace harness::cli
