// The operations as include/fp4cts/dut.h declares them, a row each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "fp4cts/dut.h"

namespace harness {

struct PluginEntry {
  std::string_view operation;
  std::string_view struct_name;                 // of abi.h
  std::size_t fp4cts_dut_sizes::*struct_bytes;  // what a plug-in was built with
  bool (*declared)(const fp4cts_dut_declaration& declaration);
  // Calls the declared entry with its operation's struct (harness/implementations/binding.hpp). It
  // is compiled without unwind tables, as plugin_border.hpp says.
  std::int32_t (*call)(const fp4cts_dut_declaration& declaration, const fp4cts_call& call,
                       const void* arguments);
};

// One for each operation of the suite.
std::span<const PluginEntry> plugin_entries();

}  // namespace harness
