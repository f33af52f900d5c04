// The command line as plain data, taken from the CLI11 app that parses it: the one source of
// --help, the shell completions and the man page.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace harness::cli {

enum class ValueKind { none, text, file, choice };

struct OptionInfo {
  std::vector<std::string> names;  // "-o", "--out"; one bare word for a positional
  std::string value;               // "FILE", "TEXT", empty for a flag
  ValueKind kind = ValueKind::none;
  std::vector<std::string> choices;
  std::string description;
  std::string group;
  bool positional = false;
  bool required = false;
  bool many = false;  // may be given more than once
};

struct CommandInfo {
  std::vector<std::string> path;  // {"fp4cts", "vectors", "generate"}
  std::string description;
  std::string footer;
  std::vector<OptionInfo> options;
  std::vector<CommandInfo> subcommands;

  std::string path_text() const;  // "fp4cts vectors generate"
};

// Hidden options and subcommands (of the empty group) are left out.
CommandInfo command_tree(const CLI::App& app);

// A command and all below it, the outermost first.
std::vector<const CommandInfo*> flatten(const CommandInfo& root);

}  // namespace harness::cli
