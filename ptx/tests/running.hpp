// What tests of the interpreter share: a module from text, and a launch with an input and an
// output.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "ptx/ptx.hpp"

namespace ptx {

inline std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

// An entry `k(in, out)` of these statements, with registers %p, %rs, %r, %rd (32 of each) and the
// two pointers in %rd30 and %rd31.
inline std::string kernel(const std::string& statements, const std::string& declarations = "") {
  return ".version 9.5\n.target sm_100a\n.address_size 64\n" + declarations +
         "\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
         ".reg .pred %p<32>; .reg .b16 %rs<32>; .reg .b32 %r<32>; .reg .b64 %rd<32>;\n"
         "ld.param.u64 %rd30, [in]; ld.param.u64 %rd31, [out]; mov.u32 %r31, %tid.x;\n" +
         statements + "\nret;\n}\n";
}

// One launch: the bytes behind `in`, and what it wrote behind `out`.
struct Running {
  std::vector<std::byte> in = std::vector<std::byte>(4096, std::byte{1});
  std::vector<std::byte> out = std::vector<std::byte>(4096);
  Access out_access = Access::output;
  Launch launch;
  Report report;

  // False: the module or the launch was refused, and `error` says why.
  bool run(const Module& module, const std::string& entry = "k", std::uint32_t threads = 32,
           std::uint32_t blocks = 1) {
    const std::vector<Range> memory = {{"in", address_of_range(0), in, Access::input},
                                       {"out", address_of_range(1), out, out_access}};
    const std::uint64_t parameters[2] = {memory[0].address, memory[1].address};
    launch.entry = entry;
    launch.block = {threads, 1, 1};
    launch.grid = {blocks, 1, 1};
    launch.parameters = std::as_bytes(std::span{parameters});
    launch.memory = memory;
    auto result = module.launch(launch);
    if (!result) {
      error = result.error().message;
      return false;
    }
    report = std::move(*result);
    return true;
  }
  bool run(const std::string& text, std::uint32_t threads = 32, std::uint32_t blocks = 1) {
    const auto module = Module::load(text, "test.ptx");
    if (!module) {
      error = module.error().message;
      return false;
    }
    return run(*module, "k", threads, blocks);
  }

  template <class T>
  [[nodiscard]] T output(std::size_t index = 0) const {
    T value{};
    std::memcpy(&value, out.data() + (index * sizeof(T)), sizeof(T));
    return value;
  }
  template <class T>
  void input(std::size_t index, T value) {
    std::memcpy(in.data() + (index * sizeof(T)), &value, sizeof(T));
  }
  [[nodiscard]] const Finding* find(FindingKind kind) const {
    const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                    [&](const Finding& finding) { return finding.kind == kind; });
    return found == report.findings.end() ? nullptr : &*found;
  }
  [[nodiscard]] std::string findings() const {
    std::string all;
    for (const Finding& finding : report.findings) all += finding.message + "\n";
    return all;
  }

  std::string error;
};

}  // namespace ptx
