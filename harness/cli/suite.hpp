// What the command line works on. The real one is in suite.cpp; the tests have one of fakes.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "harness/implementations/isolation/isolation.hpp"
#include "harness/model/exit_codes.hpp"
#include "harness/model/known_kernel.hpp"
#include "harness/model/operation.hpp"
#include "kernels/module.hpp"

namespace CLI {
class App;
}

namespace harness::cli {

using Action = std::function<int()>;

struct Suite {
  std::span<const Operation* const> operations;
  // Kinds of source a worker opens. Four of them the command line asks for by name:
  //   {"kind": "survey"}                        facts: {"present": [device], "absent": [{"kind",
  //                                             "reason"}], "gpus": [{"kind", "what"}]}, no
  //                                             implementations
  //   {"kind": "boards", "devices": [...]}      facts: {"boards": [board]} (boards/board.hpp), no
  //                                             implementations; it need not be there
  //   {"kind": "builtin", "device": "cuda:0"}   the kernels of this build on that device; facts:
  //                                             the device
  //   {"kind": "faulty", "device": "cuda:0"}    those that are wrong on purpose
  // and three more that need not be there; the option of one that is not is not there either:
  //   {"kind": "library", "origin": FILE}       --dut
  //   {"kind": "program", "origin": COMMAND}    --dut-cmd
  //   {"kind": "module", "origin": FILE}        --dut-module
  // These have no implementations and the facts of an Introduction (duts.hpp). With "device":
  // "cuda:0" they have the implementations on that device, whose path is the introduced name and
  // whose origin is that of the spec.
  SourceKinds kinds;
  std::span<const kernels::Image> images;  // that this build holds, for `list`
  std::vector<KnownKernel> kernels;        // of kind "builtin": a run that leaves one out says so
  // Subcommands that only this suite has.
  std::vector<void (*)(CLI::App& app, const Suite& suite, Action& action)> own_commands;
};

Suite shipped_suite();

// Runs the command line. Returns the exit code of docs/design.md section 6.
int run_command_line(int argc, char** argv, const Suite& suite);

}  // namespace harness::cli
