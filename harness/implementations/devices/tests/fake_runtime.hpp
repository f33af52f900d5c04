// The inside of the fake runtimes fake_cuda.cpp and fake_hip.cpp: a log of the calls, failures on
// demand, kernels that are functions of the test. Each fake is a shared library of its own, and a
// test reaches in through the exported functions below.
//
// A fake proves the order of the calls, what is passed and that every return code is looked at. It
// proves nothing about a GPU or about the real runtime.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace harness::testing {

// Runs all threads of a grid: arguments, their size, blocks, threads per block; of all axes.
using FakeKernel = void (*)(const void*, std::size_t, unsigned, unsigned);

struct FakeState {
  std::string log;                      // one call a line
  std::map<std::string, int> failures;  // function to the code that it returns, once
  std::map<std::string, int> settings;  // "devices", "major", ...
  std::map<std::string, FakeKernel> kernels;
  std::string launch;  // the last one: "grid 3 2 1 threads 128 1 1 shared 0 bytes 24"
  std::vector<std::function<void()>> on_stream;  // not done yet
  int live = 0;  // things made and not yet given back: memory, mappings, modules, events, contexts

  // Notes the call and gives the code that it is to fail with, or 0.
  int enter(const char* function) {
    log += function;
    log += '\n';
    const auto failure = failures.find(function);
    if (failure == failures.end()) return 0;
    const int code = failure->second;
    failures.erase(failure);
    return code;
  }
};

FakeState& fake_state();

// The default stream does its work at once, any other when somebody waits for it: what is put on
// the wrong one of them comes too early.
void put_on_stream(const void* stream, std::function<void()> work);
void finish_streams();

// Notes the launch and runs all of it.
void run_fake_kernel(void* function, const std::array<unsigned, 3>& grid,
                     const std::array<unsigned, 3>& threads, unsigned shared_bytes,
                     const void* arguments, std::size_t bytes);

}  // namespace harness::testing

// What each fake exports beside the runtime's own functions.
extern "C" {
void fake_reset();
const char* fake_log();
void fake_clear_log();
void fake_fail(const char* function, int code);
void fake_set(const char* setting, int value);
int fake_live();
const char* fake_launch();
void fake_kernel(const char* name, harness::testing::FakeKernel kernel);
}
