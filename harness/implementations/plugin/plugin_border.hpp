// Calls into a plug-in. They are compiled without unwind tables (CMakeLists.txt), so that the
// search for a handler of an exception that leaves a plug-in ends here: the plug-in's C++ library
// says what was thrown and aborts. The suite has a C++ library of its own, linked statically, and
// exceptions do not pass from one to the other.
#pragma once

#include <cstdint>

#include "fp4cts/dut.h"

namespace harness::border {

std::uint32_t version(decltype(fp4cts_dut_version)* function);
const fp4cts_dut_declaration* declare(decltype(fp4cts_dut_declare)* function);
const char* prepare(const fp4cts_dut_declaration& declaration, const fp4cts_call& call);

}  // namespace harness::border
