// The devices `cuda:N`, through the driver API. N counts as the driver does, so that
// CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER have their usual effect.
#pragma once

#include <memory>
#include <vector>

#include "harness/implementations/devices/cuda_driver.hpp"
#include "harness/implementations/devices/device.hpp"

namespace harness {

// Every CUDA device of this machine. Error: device_absent with the reason where there is none.
Result<std::vector<DeviceInfo>> cuda_infos();
Result<std::vector<DeviceInfo>> cuda_infos(const cuda::Driver& d);

// Error: device_absent, or what the driver says.
Result<std::unique_ptr<Device>> open_cuda(unsigned ordinal);
Result<std::unique_ptr<Device>> open_cuda(const cuda::Driver& d, unsigned ordinal);

}  // namespace harness
