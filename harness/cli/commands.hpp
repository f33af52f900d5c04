// The subcommands: each adds itself to the command line and, when it is the one that was given,
// sets what to do.
#pragma once

#include <CLI/CLI.hpp>
#include <string_view>

#include "harness/cli/suite.hpp"

namespace harness::cli {

void add_list_command(CLI::App& app, const Suite& suite, Action& action);
void add_run_command(CLI::App& app, const Suite& suite, Action& action);
void add_faults_command(CLI::App& app, const Suite& suite, Action& action);
void add_fuzz_command(CLI::App& app, const Suite& suite, Action& action);
void add_explain_command(CLI::App& app, const Suite& suite, Action& action);
void add_vectors_command(CLI::App& app, const Suite& suite, Action& action);
void add_check_command(CLI::App& app, const Suite& suite, Action& action);
void add_stream_commands(CLI::App& app, const Suite& suite, Action& action);  // gen, ver
void add_profiles_command(CLI::App& app, const Suite& suite, Action& action);
void add_infer_command(CLI::App& app, const Suite& suite, Action& action);
void add_version_command(CLI::App& app, const Suite& suite, Action& action);
// On results: the suite draws their conclusions again.
void add_merge_command(CLI::App& app, const Suite& suite, Action& action);
void add_diff_command(CLI::App& app, const Suite& suite, Action& action);
void add_report_command(CLI::App& app, const Suite& suite, Action& action);
void add_statement_command(CLI::App& app, const Suite& suite, Action& action);
void add_completion_command(CLI::App& app, const Suite& suite, Action& action);
void add_man_command(CLI::App& app, Action& action);
void add_print_command(CLI::App& app, Action& action);

// What `fp4cts version` and `fp4cts --version` print; returns the exit code.
int print_version();

// "fp4cts: MESSAGE" on stderr; returns `exit_code`.
int fail_with(int exit_code, std::string_view message);

}  // namespace harness::cli
