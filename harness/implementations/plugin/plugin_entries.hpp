// The operations as include/fp4cts/dut.h has them: from a problem to the arguments of an entry.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "fp4cts/dut.h"
#include "harness/model/problem.hpp"

namespace harness {

struct PluginEntry {
  std::string_view operation;
  bool (*declared)(const fp4cts_dut_declaration& declaration);
  // Calls the declared entry; `origins` are the device addresses of element [0, ..., 0] of every
  // tensor. Precondition: the problem is one of the operation.
  std::int32_t (*call)(const fp4cts_dut_declaration& declaration, const fp4cts_call& call,
                       const Problem& problem, std::span<const std::uint64_t> origins);
};

// One for each operation of the suite.
std::span<const PluginEntry> plugin_entries();

}  // namespace harness
