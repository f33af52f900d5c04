#include "harness/cli/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace harness::cli {
namespace {

// Inside '...' of a POSIX shell.
std::string single_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// The first line, without what zsh's specs take for syntax.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, text.find('\n'))) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::vector<std::string> words_of(const CommandInfo& command) {
  std::vector<std::string> words;
  for (const CommandInfo& child : command.subcommands) words.push_back(child.path.back());
  for (const OptionInfo& option : command.options) {
    if (option.positional) {
      words.insert(words.end(), option.choices.begin(), option.choices.end());
    } else {
      words.insert(words.end(), option.names.begin(), option.names.end());
    }
  }
  return words;
}

bool takes_files(const CommandInfo& command) {
  return std::any_of(command.options.begin(), command.options.end(), [](const OptionInfo& option) {
    return option.positional && option.kind == ValueKind::file;
  });
}

}  // namespace

std::string bash_completion(const CommandInfo& root) {
  const std::string name = root.path.front();
  std::string values;
  std::string words;
  std::string steps;
  for (const CommandInfo* command : flatten(root)) {
    const std::string path = command->path_text();
    for (const CommandInfo& child : command->subcommands) {
      fmt::format_to(std::back_inserter(steps), "      {0}) path={0} ;;\n",
                     single_quoted(child.path_text()));
    }
    for (const OptionInfo& option : command->options) {
      if (option.positional || option.kind == ValueKind::none) continue;
      const std::string reply =
          option.kind == ValueKind::choice
              ? fmt::format("COMPREPLY=($(compgen -W {} -- \"$current\"))",
                            single_quoted(fmt::format("{}", fmt::join(option.choices, " "))))
          : option.kind == ValueKind::file
              ? "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$current\"))"
              : "COMPREPLY=()";
      for (const std::string& option_name : option.names) {
        fmt::format_to(std::back_inserter(values), "    {}) {}; return ;;\n",
                       single_quoted(path + ' ' + option_name), reply);
      }
    }
    fmt::format_to(std::back_inserter(words), "    {}) words={}; files={} ;;\n",
                   single_quoted(path),
                   single_quoted(fmt::format("{}", fmt::join(words_of(*command), " "))),
                   takes_files(*command) ? 1 : 0);
  }
  return fmt::format(R"(# bash completion of {0}; load it with: source <({0} completion bash)
_{0}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  local path={1} words='' files=0 i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path ${{COMP_WORDS[i]}}" in
{2}    esac
  done
  case "$path $previous" in
{3}  esac
  case "$path" in
{4}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ "$files" = 1 ] && [ "${{current#-}}" = "$current" ]; then
    compopt -o filenames
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}}
complete -F _{0} {0}
)",
                     name, single_quoted(name), steps, values, words);
}

std::string zsh_completion(const CommandInfo& root) {
  const std::string name = root.path.front();
  std::string text = fmt::format(
      "#compdef {0}\n# zsh completion of {0}; save it as _{0} in a folder of $fpath\n", name);
  const auto out = std::back_inserter(text);
  const auto function_of = [](const CommandInfo& command) {
    return fmt::format("_{}", fmt::join(command.path, "__"));
  };
  for (const CommandInfo* command : flatten(root)) {
    fmt::format_to(out, "{}() {{\n  local state line\n  _arguments -C", function_of(*command));
    for (const OptionInfo& option : command->options) {
      const std::string action = option.kind == ValueKind::choice
                                     ? fmt::format("({})", fmt::join(option.choices, " "))
                                 : option.kind == ValueKind::file ? std::string("_files")
                                                                  : std::string(" ");
      if (option.positional) {
        fmt::format_to(out, " \\\n    {}",
                       single_quoted(fmt::format("{}:{}:{}",
                                                 option.many       ? "*"
                                                 : option.required ? ""
                                                                   : ":",
                                                 plain(option.names.front()), action)));
        continue;
      }
      for (const std::string& option_name : option.names) {
        const std::string value = option.kind == ValueKind::none
                                      ? ""
                                      : fmt::format(":{}:{}", plain(option.value), action);
        fmt::format_to(out, " \\\n    {}",
                       single_quoted(fmt::format("{}{}[{}]{}", option.many ? "*" : "", option_name,
                                                 plain(option.description), value)));
      }
    }
    if (command->subcommands.empty()) {
      text += "\n}\n";
      continue;
    }
    text +=
        " \\\n    '1: :->command' \\\n    '*:: :->rest'\n  case $state in\n    command)\n      "
        "local -a commands=(\n";
    for (const CommandInfo& child : command->subcommands) {
      fmt::format_to(out, "        {}\n",
                     single_quoted(plain(child.path.back()) + ':' + plain(child.description)));
    }
    text += "      )\n      _describe command commands ;;\n    rest)\n      case $line[1] in\n";
    for (const CommandInfo& child : command->subcommands) {
      fmt::format_to(out, "        {}) {} ;;\n", child.path.back(), function_of(child));
    }
    text += "      esac ;;\n  esac\n}\n";
  }
  fmt::format_to(out, "_{} \"$@\"\n", name);
  return text;
}

std::string fish_completion(const CommandInfo& root) {
  const std::string name = root.path.front();
  std::string text = fmt::format("# fish completion of {0}\ncomplete -c {0} -f\n", name);
  const auto out = std::back_inserter(text);
  const auto first_line = [](const std::string& line) { return line.substr(0, line.find('\n')); };
  for (const CommandInfo* command : flatten(root)) {
    std::string condition;
    for (std::size_t i = 1; i < command->path.size(); ++i) {
      condition +=
          fmt::format("{}__fish_seen_subcommand_from {}", i == 1 ? "" : "; and ", command->path[i]);
    }
    if (condition.empty()) condition = "__fish_use_subcommand";
    for (const CommandInfo& child : command->subcommands) {
      fmt::format_to(out, "complete -c {} -n {} -a {} -d {}\n", name, single_quoted(condition),
                     child.path.back(), single_quoted(first_line(child.description)));
    }
    for (const OptionInfo& option : command->options) {
      std::string line = fmt::format("complete -c {} -n {}", name, single_quoted(condition));
      if (!option.positional) {
        for (const std::string& option_name : option.names) {
          line += option_name.starts_with("--") ? " -l " + option_name.substr(2)
                                                : " -s " + option_name.substr(1);
        }
      }
      if (option.kind == ValueKind::file) line += option.positional ? " -F" : " -r -F";
      if (option.kind == ValueKind::text && !option.positional) line += " -x";
      if (option.kind == ValueKind::choice) {
        line += fmt::format("{} -a {}", option.positional ? "" : " -x",
                            single_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
      }
      if (option.positional && option.kind == ValueKind::text) continue;
      fmt::format_to(out, "{} -d {}\n", line, single_quoted(first_line(option.description)));
    }
  }
  return text;
}

}  // namespace harness::cli
