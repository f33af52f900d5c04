// The device `ptx`: the PTX text of a module, executed by software (docs/ptx.md). No processor is
// needed or judged: what it computes is *simulated*. Each tensor is its own range of addresses, and
// an access that may not be, a race, a barrier that nobody opens, or a kernel that does not end is
// an error of the launch, with the line of the text and of the source.
#pragma once

#include <memory>

#include "harness/implementations/devices/device.hpp"

namespace harness {

DeviceInfo ptx_info();
std::unique_ptr<Device> open_ptx();

}  // namespace harness
