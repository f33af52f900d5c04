#include <fmt/format.h>

#include <iterator>

#include "harness/cli/completion.hpp"

namespace harness::cli {
namespace {

// Text in roff: backslashes and hyphens are escaped, and no line starts with a control character.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string synopsis(const CommandInfo& command) {
  std::string text = fmt::format(".B {}\n", roff(command.path_text()));
  bool options = false;
  for (const OptionInfo& option : command.options) options = options || !option.positional;
  if (options) text += "[\\fIOPTIONS\\fR]\n";
  for (const OptionInfo& option : command.options) {
    if (!option.positional) continue;
    const std::string name =
        fmt::format("\\fI{}\\fR{}", roff(option.names.front()), option.many ? "..." : "");
    text += option.required ? name + '\n' : '[' + name + "]\n";
  }
  if (!command.subcommands.empty()) text += "\\fISUBCOMMAND\\fR\n";
  return text;
}

void add_options(const CommandInfo& command, std::string& text) {
  const auto out = std::back_inserter(text);
  for (const OptionInfo& option : command.options) {
    std::string names;
    for (const std::string& name : option.names) {
      names += fmt::format("{}{}{}\\fR", names.empty() ? "" : ", ",
                           option.positional ? "\\fI" : "\\fB", roff(name));
    }
    const std::string value = option.positional || option.value.empty()
                                  ? std::string()
                                  : " \\fI" + roff(option.value) + "\\fR";
    fmt::format_to(out, ".TP\n{}{}\n{}", names, value, roff(option.description));
    if (!option.choices.empty()) {
      fmt::format_to(out, "{}\nOne of {}.", option.description.ends_with('.') ? "" : ".",
                     roff(fmt::format("{}", fmt::join(option.choices, ", "))));
    }
    text += '\n';
  }
}

}  // namespace

std::string man_page(const CommandInfo& root, std::string_view version) {
  std::string text;
  const auto out = std::back_inserter(text);
  std::string title = root.path.front();
  for (char& c : title) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  fmt::format_to(out, ".TH {} 1 \"\" \"{} {}\" \"User commands\"\n.SH NAME\n{} \\- {}\n", title,
                 root.path.front(), roff(version), roff(root.path.front()),
                 roff(root.description.substr(0, root.description.find('\n'))));
  text += ".SH SYNOPSIS\n" + synopsis(root);
  fmt::format_to(out, ".SH DESCRIPTION\n{}\n.SH OPTIONS\n", roff(root.description));
  add_options(root, text);
  text += ".SH COMMANDS\n";
  for (const CommandInfo* command : flatten(root)) {
    if (command == &root) continue;
    fmt::format_to(out, ".SS {}\n{}.PP\n{}\n", roff(command->path_text()), synopsis(*command),
                   roff(command->description));
    add_options(*command, text);
    if (command->footer != root.footer) fmt::format_to(out, ".PP\n{}\n", roff(command->footer));
  }
  if (!root.footer.empty()) fmt::format_to(out, ".SH NOTES\n{}\n", roff(root.footer));
  return text;
}

}  // namespace harness::cli
