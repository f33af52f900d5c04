#include "harness/cli/command_tree.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace harness::cli {
namespace {

// "TEXT:{a,b}" -> a, b: how CLI11 names the choices of IsMember.
std::vector<std::string> choices_in(const std::string& type) {
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

OptionInfo option_info(const CLI::Option& option) {
  OptionInfo info;
  for (const std::string& name : option.get_snames()) info.names.push_back('-' + name);
  for (const std::string& name : option.get_lnames()) info.names.push_back("--" + name);
  info.positional = info.names.empty();
  if (info.positional) info.names.push_back(option.get_name());
  info.description = option.get_description();
  info.group = option.get_group();
  info.required = option.get_required();
  info.many = option.get_items_expected_max() > 1;
  const std::string type = option.get_type_name();
  info.choices = choices_in(type);
  if (option.get_items_expected_max() == 0) return info;  // a flag
  info.value = type.substr(0, type.find_first_of(":{ "));
  if (info.value.empty()) info.value = "TEXT";
  const bool file = type.find("FILE") != std::string::npos ||
                    type.find("DIR") != std::string::npos || type.find("PATH") != std::string::npos;
  info.kind = !info.choices.empty() ? ValueKind::choice : file ? ValueKind::file : ValueKind::text;
  return info;
}

CommandInfo command_info(const CLI::App& app, std::vector<std::string> path) {
  path.push_back(app.get_name());
  CommandInfo info;
  info.path = path;
  info.description = app.get_description();
  info.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) info.options.push_back(option_info(*option));
  }
  for (const CLI::App* child : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!child->get_name().empty() && !child->get_group().empty()) {
      info.subcommands.push_back(command_info(*child, path));
    }
  }
  return info;
}

void add(const CommandInfo& command, std::vector<const CommandInfo*>& to) {
  to.push_back(&command);
  for (const CommandInfo& child : command.subcommands) add(child, to);
}

}  // namespace

std::string CommandInfo::path_text() const { return fmt::format("{}", fmt::join(path, " ")); }

CommandInfo command_tree(const CLI::App& app) { return command_info(app, {}); }

std::vector<const CommandInfo*> flatten(const CommandInfo& root) {
  std::vector<const CommandInfo*> all;
  add(root, all);
  return all;
}

}  // namespace harness::cli
