// fp4cts print: a file that the binary carries, byte for byte.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>

#include "harness/cli/commands.hpp"
#include "harness/cli/embedded_files.hpp"

namespace harness::cli {

void add_print_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "print", "print a file that this binary carries: dut.h, a schema, the vector manifest");
  const auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "which file; without it, the names of all");
  command->callback([&action, name] {
    action = [name] {
      if (name->empty()) {
        for (const EmbeddedFile& file : embedded_files()) {
          std::puts(std::string(file.name).c_str());
        }
        return exit_conforms;
      }
      const EmbeddedFile* const file = embedded_file(*name);
      if (file == nullptr) {
        return fail_with(exit_usage, fmt::format("print: no file '{}' in this binary; `fp4cts "
                                                 "print` lists the names",
                                                 *name));
      }
      const std::string_view text = file->text();
      if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
        return fail_with(exit_error, "print: standard output cannot be written");
      }
      return exit_conforms;
    };
  });
}

}  // namespace harness::cli
