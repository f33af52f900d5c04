// What is said about a device.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace harness {

struct DeviceInfo {
  std::string name;  // "cpu", "cuda:0"
  std::string
      description;  // "NVIDIA H200, compute capability 9.0, 139 GiB, driver 580.159.04 (CUDA 13.0)"
  std::string architecture;  // "x86-64", "sm_90", "gfx942"
  std::uint64_t memory_bytes = 0;
  nlohmann::ordered_json facts;  // GPU, UUID, driver, runtime: what a result records
};

}  // namespace harness
