// The device `cpu`: the host form of a kernel, called once for each thread of the grid, on all
// cores. Its memory lies against pages without access, and an access to them ends the launch with
// an error that says where.
#pragma once

#include <memory>

#include "harness/implementations/devices/device.hpp"

namespace harness {

DeviceInfo cpu_info();
std::unique_ptr<Device> open_cpu();

}  // namespace harness
