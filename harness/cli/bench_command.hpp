// `bench` opens its device in this process, so it belongs to the shipped suite and not to the
// command line that the tests have over fakes.
#pragma once

#include "harness/cli/commands.hpp"

namespace harness::cli {

void add_bench_command(CLI::App& app, const Suite& suite, Action& action);

}  // namespace harness::cli
