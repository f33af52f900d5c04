// The devices `hip:N`, through the HIP runtime. N counts as the runtime does, so that
// HIP_VISIBLE_DEVICES has its usual effect.
#pragma once

#include <memory>
#include <vector>

#include "harness/implementations/devices/device.hpp"
#include "harness/implementations/devices/hip_runtime.hpp"

namespace harness {

// Every HIP device of this machine. Error: device_absent with the reason where there is none.
Result<std::vector<DeviceInfo>> hip_infos();
Result<std::vector<DeviceInfo>> hip_infos(const hip::Runtime& r);

// Error: device_absent, or what the runtime says.
Result<std::unique_ptr<Device>> open_hip(unsigned ordinal);
Result<std::unique_ptr<Device>> open_hip(const hip::Runtime& r, unsigned ordinal);

}  // namespace harness
