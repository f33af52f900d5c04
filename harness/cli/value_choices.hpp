// The values that options take where they are known: what completions offer beside the options'
// names.
#pragma once

#include "harness/cli/command_tree.hpp"
#include "harness/cli/suite.hpp"

namespace harness::cli {

// Gives options of these names their values, in every subcommand. An option that also takes others
// (a glob, a file) still does: a completion offers, it does not restrict.
void add_value_choices(CommandInfo& tree, const Suite& suite);

}  // namespace harness::cli
