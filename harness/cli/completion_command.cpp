// fp4cts completion and fp4cts man: what a shell and a manual page know of this command line.
#include <cstdio>
#include <memory>

#include "harness/cli/command_tree.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/completion.hpp"
#include "harness/cli/value_choices.hpp"
#include "harness/cli/version.hpp"

namespace harness::cli {

void add_completion_command(CLI::App& app, const Suite& suite, Action& action) {
  CLI::App* command =
      app.add_subcommand("completion", "print completions for a shell: bash, zsh or fish");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "whose completions")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([&app, &suite, &action, shell] {
    action = [&app, &suite, shell] {
      CommandInfo tree = command_tree(app);
      add_value_choices(tree, suite);
      const std::string text = *shell == "bash"  ? bash_completion(tree)
                               : *shell == "zsh" ? zsh_completion(tree)
                                                 : fish_completion(tree);
      std::fputs(text.c_str(), stdout);
      return exit_conforms;
    };
  });
}

void add_man_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("man", "print the manual page; `fp4cts man | man -l -`");
  command->callback([&app, &action] {
    action = [&app] {
      std::fputs(man_page(command_tree(app), suite_version()).c_str(), stdout);
      return exit_conforms;
    };
  });
}

}  // namespace harness::cli
