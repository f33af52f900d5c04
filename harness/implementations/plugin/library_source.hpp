// A shared library after include/fp4cts/dut.h as a source of implementations: what a worker opens
// for the kind "library". docs/plug-ins.md is the page for users.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/implementations/isolation/isolation.hpp"
#include "harness/model/result.hpp"

namespace harness {

// {"origin": FILE}: loads the plug-in, without a device. No implementations; facts: {"name",
// "profile", "device_kinds"}.
// {"origin": FILE, "device": "cuda:0"}: one implementation for each operation of the suite, on that
// device, over one set of guarded buffers; one that the plug-in does not declare is not available.
// The library is never unloaded.
// Error: it cannot be loaded, or its handshake is not understood, with the plug-in's side and the
// suite's; the device's.
Result<OpenedSource> open_library(const nlohmann::json& spec);

}  // namespace harness
