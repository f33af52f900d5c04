// fp4cts faults: runs the kernels that are wrong on purpose and prints which case kills each.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/catalog.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/text_table.hpp"
#include "harness/results/verdict/plan.hpp"
#include "harness/run/fault_matrix.hpp"

namespace harness::cli {
namespace {

struct FaultsOptions {
  std::string device = "cpu";
  std::string level = "standard";
  std::string operation = "*";
  double timeout_seconds = 20;
  bool json = false;
};

void print_json(const std::vector<FaultRow>& rows) {
  for (const FaultRow& row : rows) fmt::print("{}\n", to_json(row).dump());
}

void print_table(const std::vector<FaultRow>& rows) {
  TextTable table({{"id"},
                   {"operation"},
                   {"fault"},
                   {"killed by"},
                   {"at"},
                   {"cases", Align::right},
                   {"class named"}});
  for (const FaultRow& row : rows) {
    std::vector<std::string> head{row.fault_id, row.operation, row.path};
    if (!row.not_run.empty()) {
      table.add(std::move(head), "not run: " + row.not_run);
    } else if (row.survives()) {
      table.add(std::move(head), fmt::format("SURVIVES {} cases", row.cases));
    } else {
      const std::string named = row.named_rightly() ? "yes"
                                : row.named.empty() ? "no"
                                                    : "no: " + row.named;
      head.insert(head.end(), {row.killed_by.substr(row.killed_by.find('/') + 1), row.level,
                               fmt::format("{}/{}", row.killing_cases, row.cases), named});
      table.add(std::move(head));
    }
  }
  fmt::print("{}", table.text());
}

// The last lines: what the matrix says, and the word for it.
int conclude_matrix(const std::vector<FaultRow>& rows, bool print) {
  std::size_t run = 0;
  std::size_t survived = 0;
  std::size_t named = 0;
  for (const FaultRow& row : rows) {
    if (!row.not_run.empty()) continue;
    ++run;
    survived += row.survives() ? 1U : 0U;
    named += row.named_rightly() ? 1U : 0U;
  }
  if (print) {
    fmt::print("\n{} faulty kernels: {} run, {} killed, {} survive, {} named rightly\n",
               rows.size(), run, run - survived, survived, named);
  }
  if (run == 0) return exit_incomplete;
  return survived == 0 ? exit_conforms : exit_mismatch;
}

int run_faults(const Suite& suite, const FaultsOptions& options) {
  const auto level = level_named(options.level);
  if (!level) {
    return fail_with(exit_usage, fmt::format("no level is named '{}'; there are smoke, standard, "
                                             "full, exhaustive",
                                             options.level));
  }
  WorkerOptions worker;
  worker.call_timeout_seconds = options.timeout_seconds;
  const Survey survey = survey_machine(worker);
  if (!survey.no_worker.empty()) return fail_with(exit_error, survey.no_worker);
  if (names_many_devices(options.device)) {
    return fail_with(exit_usage,
                     fmt::format("--device: expected one device, got '{}'", options.device));
  }
  if (Status status = check_device_names({options.device}, survey); !status) {
    return fail_with(exit_usage, status.error().message);
  }
  const auto source = RemoteSource::open({{"kind", "faulty"}, {"device", options.device}}, worker);
  if (!source) return fail_with(exit_error, source.error().message);
  if ((*source)->infos().empty()) {
    return fail_with(exit_incomplete,
                     "this binary was built before the faulty kernels and has none; the one that "
                     "`cmake --build --preset release` makes has");
  }
  std::vector<std::unique_ptr<Implementation>> implementations;
  for (std::size_t i = 0; i < (*source)->infos().size(); ++i) {
    if (!glob_matches(options.operation, (*source)->infos()[i].operation)) continue;
    implementations.push_back(std::make_unique<RemoteImplementation>(*source, i));
  }
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  std::size_t done = 0;
  const auto rows =
      make_fault_matrix(suite.operations, implementations, *level, [&](const FaultRow& row) {
        ++done;
        fmt::print(stderr, "{}faults: {}/{} {}{}", terminal ? "\r\033[K" : "", done,
                   implementations.size(), row.path, terminal ? "" : "\n");
      });
  if (terminal) fmt::print(stderr, "\r\033[K");
  if (!rows) return fail_with(exit_error, rows.error().message);
  if (options.json) {
    print_json(*rows);
  } else {
    print_table(*rows);
  }
  return conclude_matrix(*rows, !options.json);
}

}  // namespace

void add_faults_command(CLI::App& app, const Suite& suite, Action& action) {
  CLI::App* command = app.add_subcommand(
      "faults", "run kernels that are wrong on purpose: which case kills each, and is it named");
  const auto options = std::make_shared<FaultsOptions>();
  command->add_option("--device", options->device, "cpu, cuda:N, hip:N or ptx")
      ->capture_default_str();
  command->add_option("--level", options->level, "smoke, standard, full or exhaustive")
      ->capture_default_str();
  command->add_option("--op", options->operation, "only this operation; a glob")
      ->capture_default_str();
  command->add_option("--timeout", options->timeout_seconds, "seconds that one call may take")
      ->capture_default_str()
      ->check(positive_number());
  command->add_flag("--json", options->json, "one JSON object a line for each faulty kernel");
  command->footer(
      "Exit codes: 0 all are killed, 1 one survives, 2 bad usage, 3 device error, 4 none was run.");
  command->callback([&action, &suite, options] {
    action = [&suite, options] { return run_faults(suite, *options); };
  });
}

}  // namespace harness::cli
