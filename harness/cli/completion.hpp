// Shell completions and the man page, written from the command tree.
#pragma once

#include <string>
#include <string_view>

#include "harness/cli/command_tree.hpp"
#include "harness/model/result.hpp"

namespace harness::cli {

// Scripts to be sourced (bash), put on the fpath as _fp4cts (zsh), or put in fish's completions.
std::string bash_completion(const CommandInfo& root);
std::string zsh_completion(const CommandInfo& root);
std::string fish_completion(const CommandInfo& root);

// Section 1, in man(7) macros.
std::string man_page(const CommandInfo& root, std::string_view version);

}  // namespace harness::cli
