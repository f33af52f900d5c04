#include "harness/cli/common_options.hpp"

#include "harness/cli/numbers.hpp"

namespace harness::cli {

CLI::Option* add_list(CLI::App& command, const std::string& name, std::vector<std::string>& to,
                      const std::string& help) {
  return command.add_option(name, to, help)->delimiter(',')->allow_extra_args(false);
}

CLI::Option* add_device_option(CLI::App& command, Selection& selection) {
  return add_list(
      command, "--device", selection.devices,
      "cpu, cuda:N, hip:N, cuda or hip (every one of that kind), ptx, or all (the default), "
      "which is every one but ptx");
}

std::vector<CLI::Option*> add_selection_options(CLI::App& command, Selection& selection) {
  std::vector<CLI::Option*> options{
      add_device_option(command, selection),
      add_list(command, "--op", selection.operations, "operations, by name or glob"),
      add_list(command, "--path", selection.paths, "implementation paths, by name or glob"),
      command.add_option("--profile", selection.profile,
                         "judge by this profile instead of the declared one")};
  for (CLI::Option* option : options) option->group(what_to_run_group);
  return options;
}

void add_limit_options(CLI::App& command, WorkerLimits& limits) {
  command
      .add_option("--timeout", limits.timeout_seconds,
                  "seconds that one call may take; 60 unless given")
      ->check(positive_number())
      ->group(limits_group);
  command
      .add_option("--memory-limit", limits.memory_limit_bytes,
                  "private memory of the process under test: bytes, or as 4GiB; none unless given")
      ->transform(byte_count())
      ->group(limits_group);
}

void add_output_options(CLI::App& command, OutputOptions& output, const std::string& json_help) {
  command.add_flag("--json", output.json, json_help)->group(output_group);
  command.add_flag("--quiet", output.quiet, "no progress")->group(output_group);
  command
      .add_flag_callback(
          "--no-color", [&output] { output.color = false; },
          "no colors; NO_COLOR in the environment does the same")
      ->group(output_group);
}

}  // namespace harness::cli
