// fp4cts version
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/commands.hpp"
#include "harness/cli/version.hpp"
#include "harness/results/records/results.hpp"

namespace harness::cli {

int print_version() {
  std::puts(fmt::format("fp4cts {} (commit {}), built with {}, {}", suite_version(), suite_commit(),
                        compiler(), build_type())
                .c_str());
  return exit_conforms;
}

void add_version_command(CLI::App& app, const Suite& /*suite*/, Action& action) {
  CLI::App* command = app.add_subcommand("version", "print the version and what built it");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "as a JSON object");
  command->callback([&action, json] {
    action = [json] {
      if (!*json) return print_version();
      const nlohmann::ordered_json object{{"name", "fp4cts"},
                                          {"version", suite_version()},
                                          {"commit", suite_commit()},
                                          {"compiler", compiler()},
                                          {"build_type", build_type()},
                                          {"vectors_sha256", vectors_sha256()},
                                          {"results_schema", results_schema_version}};
      std::puts(object.dump(2).c_str());
      return exit_conforms;
    };
  });
}

}  // namespace harness::cli
