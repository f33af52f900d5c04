#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "harness/cli/commands.hpp"

namespace harness::cli {
namespace {

std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

int parse_and_run(CLI::App& app, int argc, char** argv, const Action& action) {
  const std::vector<std::string> names = names_of(app);
  const bool names_command = argc > 1 && argv[1][0] != '-';
  if (names_command && std::find(names.begin(), names.end(), argv[1]) == names.end()) {
    return fail_with(exit_usage, fmt::format("no subcommand is named '{}'; there are: {}", argv[1],
                                             fmt::join(names, ", ")));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // help was asked for
    return fail_with(exit_usage, error.what());
  }
  if (action) return action();
  return fail_with(exit_usage,
                   fmt::format("expected a subcommand, one of: {}", fmt::join(names, ", ")));
}

}  // namespace

int fail_with(int exit_code, std::string_view message) {
  std::fputs(fmt::format("fp4cts: {}\n", message).c_str(), stderr);
  return exit_code;
}

int run_command_line(int argc, char** argv, const Suite& suite) {
  // Not among the subcommands: it is for this program itself.
  if (argc == 2 && std::strcmp(argv[1], "worker") == 0) return serve_worker(suite.kinds);
  CLI::App app("Byte-exact conformance suite for 4-bit KV-cache page kernels", "fp4cts");
  app.footer(
      "Exit codes: 0 conforms, 1 mismatch, 2 bad usage or input, 3 device or internal error, "
      "4 incomplete.\n");
  Action action;
  add_list_command(app, suite, action);
  add_run_command(app, suite, action);
  add_fuzz_command(app, suite, action);
  add_explain_command(app, suite, action);
  add_faults_command(app, suite, action);
  add_vectors_command(app, suite, action);
  add_check_command(app, suite, action);
  add_stream_commands(app, suite, action);
  for (const auto add : suite.own_commands) add(app, suite, action);
  add_merge_command(app, suite, action);
  add_diff_command(app, suite, action);
  add_report_command(app, suite, action);
  add_statement_command(app, suite, action);
  add_completion_command(app, action);
  add_man_command(app, action);
  add_version_command(app, suite, action);
  return parse_and_run(app, argc, argv, action);
}

}  // namespace harness::cli
