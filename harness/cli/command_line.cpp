#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/model/foreign_text.hpp"
#include "harness/model/nearest_name.hpp"

namespace harness::cli {
namespace {

std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

// The subcommand that the words name, as far as they do: `vectors generate`.
const CLI::App& named_command(const CLI::App& app, std::span<const std::string> words) {
  const CLI::App* command = &app;
  for (const std::string& word : words) {
    const std::vector<std::string> names = names_of(*command);
    if (std::find(names.begin(), names.end(), word) == names.end()) break;
    command = command->get_subcommand(word);
  }
  return *command;
}

std::string path_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : path_of(*parent) + ' ' + command.get_name();
}

std::string help_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return command.help(parent == nullptr ? std::string() : path_of(*parent),
                      CLI::AppFormatMode::Normal);
}

// For each option that the command does not have, the one that may have been meant.
std::string meant_options(const CLI::App& command, std::span<const std::string> words) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  std::string text;
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    const bool unknown =
        name.starts_with("--") && std::find(names.begin(), names.end(), name) == names.end();
    if (unknown) text += did_you_mean(name, names);
  }
  return text;
}

int parse_and_run(CLI::App& app, int argc, char** argv, const Action& action) {
  const std::vector<std::string> names = names_of(app);
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) {
    std::fputs(app.help().c_str(), stdout);
    return exit_usage;  // nothing was judged: no gate may take this for a pass
  }
  if (words.front() == "help") {
    const std::span<const std::string> asked = std::span<const std::string>(words).subspan(1);
    const CLI::App& command = named_command(app, asked);
    if (asked.empty() || &command != &app) {
      std::fputs(help_of(command).c_str(), stdout);
      return exit_conforms;
    }
    words.erase(words.begin());  // said below
  }
  if (words.front()[0] != '-' &&
      std::find(names.begin(), names.end(), words.front()) == names.end()) {
    return fail_with(exit_usage,
                     fmt::format("no subcommand is named '{}'; there are: {}{}", words.front(),
                                 fmt::join(names, ", "), did_you_mean(words.front(), names)));
  }
  const CLI::App& command = named_command(app, words);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // help was asked for
    const int exit_code = fail_with(exit_usage, error.what() + meant_options(command, words));
    std::fputs(fmt::format("{} --help says what it takes\n", path_of(command)).c_str(), stderr);
    return exit_code;
  }
  if (action) return action();
  return fail_with(exit_usage,
                   fmt::format("expected a subcommand, one of: {}", fmt::join(names, ", ")));
}

// A process that is started with one of these closed would get the next file that it opens under
// its number, and print into it.
void open_standard_descriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    if (::open("/dev/null", O_RDWR) < 0)
      std::_Exit(exit_error);  // it takes the lowest that is free
  }
}

// What a command does, and that what it printed has arrived: a verdict that nobody could read is
// none. What is thrown ends the process in good order.
int all_said(const Action& command) {
  int exit_code = exit_error;
  try {
    exit_code = command();
  } catch (const std::bad_alloc&) {
    exit_code = fail_with(exit_error, "out of memory");
  } catch (const std::exception& exception) {
    // Of the standard library, where the system gives no more threads or files.
    exit_code = fail_with(exit_error, exception.what());
  }
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return exit_code;
  return fail_with(exit_error, "what was printed could not be written to standard output");
}

}  // namespace

int fail_with(int exit_code, std::string_view message) {
  // A message may name files and say what is in them.
  std::fputs(fmt::format("fp4cts: {}\n", clean_text(message)).c_str(), stderr);
  return exit_code;
}

int run_command_line(int argc, char** argv, const Suite& suite) {
  open_standard_descriptors();
  std::signal(SIGCHLD, SIG_DFL);  // a parent may ignore it, and children are waited for here
  // Not among the subcommands: it is for this program itself.
  if (argc == 2 && std::strcmp(argv[1], "worker") == 0) return serve_worker(suite.kinds);
  CLI::App app("Byte-exact conformance suite for 4-bit KV-cache page kernels", "fp4cts");
  app.footer(
      "Exit codes: 0 conforms, 1 mismatch, 2 bad usage or input, 3 device or internal error, "
      "4 incomplete.\n");
  app.require_subcommand(0, 1);   // a second one would take the place of the first
  std::signal(SIGXFSZ, SIG_IGN);  // writing past a limit is an error in words
  Action action;
  add_list_command(app, suite, action);
  add_run_command(app, suite, action);
  add_fuzz_command(app, suite, action);
  add_explain_command(app, suite, action);
  add_faults_command(app, suite, action);
  add_vectors_command(app, suite, action);
  add_check_command(app, suite, action);
  add_stream_commands(app, suite, action);
  add_profiles_command(app, suite, action);
  add_infer_command(app, suite, action);
  for (const auto add : suite.own_commands) add(app, suite, action);
  add_merge_command(app, suite, action);
  add_diff_command(app, suite, action);
  add_report_command(app, suite, action);
  add_statement_command(app, suite, action);
  add_completion_command(app, suite, action);
  add_man_command(app, action);
  add_print_command(app, action);
  add_version_command(app, suite, action);
  app.add_flag_callback(
      "--version", [&action] { action = [] { return print_version(); }; }, "the version");
  return all_said([&] { return parse_and_run(app, argc, argv, action); });
}

}  // namespace harness::cli
