// Implementations under test that are not in the box: what --dut, --dut-cmd and --dut-module name.
// Each is a source that a worker opens (harness/implementations/isolation/isolation.hpp), first
// without a device, to say what it is, and then on every device that it runs on.
#pragma once

#include <CLI/CLI.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/implementations/isolation/isolation.hpp"
#include "harness/results/records/results.hpp"

namespace harness::cli {

struct UnderTest {
  std::string kind;    // of the worker's spec: "library", "program", "module"
  std::string origin;  // the file or command line, as it was written
};

// The options of those kinds that `kinds` has; what they name goes to `selection`.
std::vector<CLI::Option*> add_under_test_options(CLI::App& command, const SourceKinds& kinds,
                                                 Selection& selection);

// All that the selection names: libraries, programs, modules.
std::vector<UnderTest> all_under_test(const Selection& selection);

// The same as on a command line: " --dut ./a.so --dut-cmd 'python3 gather.py'".
std::string under_test_words(const Selection& selection);

// That the files are there and are what they should be, as far as can be seen without opening them
// in a worker. Error: the option, the file and the reason.
Status check_under_test(const Selection& selection);

// A program is not asked what it can do. Error: it is not told either.
Status check_operations_named(const Selection& selection);

// What one says of itself: the facts of its source when it is opened without a device,
// {"name", "profile", "device_kinds"}.
struct Introduction {
  std::string name;  // the path of its implementations
  std::string profile;
  std::set<std::string> device_kinds;  // "cpu", "cuda", "hip"
};
// Error: what it said instead, or how its process ended.
Result<Introduction> introduce(const UnderTest& under_test, const WorkerOptions& options);

// For a worker that runs one on a device: a program has files.
WorkerOptions options_for(const UnderTest& under_test, WorkerOptions options);

// {"kind", "origin"}, and the device where one is given.
nlohmann::json spec_of(const UnderTest& under_test, const std::string& device = "");

}  // namespace harness::cli
