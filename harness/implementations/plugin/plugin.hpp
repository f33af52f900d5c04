// A plug-in that is loaded and whose handshake was understood.
#pragma once

#include <string>
#include <vector>

#include "fp4cts/dut.h"
#include "harness/model/result.hpp"

namespace harness {

struct Plugin {
  const fp4cts_dut_declaration* declaration = nullptr;
  std::string name;
  std::string profile;
  std::string toolkit;
  std::vector<std::string> device_kinds;  // "cpu", "cuda", "hip"
};

// Loads a shared library for as long as the process lives. Error: what of it is not as
// include/fp4cts/dut.h has it, with expected and actual.
Result<Plugin> load_plugin(const std::string& file);

}  // namespace harness
