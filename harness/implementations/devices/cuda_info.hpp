// What the CUDA driver says of its devices before any of them is used.
#pragma once

#include "harness/implementations/devices/architecture.hpp"
#include "harness/implementations/devices/cuda_driver.hpp"
#include "harness/model/device_info.hpp"

namespace harness::cuda {

struct Properties {
  DeviceOrdinal device = 0;
  DeviceInfo info;
  Version capability;
  bool virtual_memory = false;  // has the calls of cuda_memory.hpp
};

// Whether CUDA_FORCE_PTX_JIT tells the driver to leave machine code aside and assemble PTX.
bool ptx_is_forced();

// At least 1. Error: device_absent.
Result<int> device_count(const Driver& d);
Result<Properties> properties_of(const Driver& d, int ordinal);

}  // namespace harness::cuda
