// A device allocates, copies, launches and synchronizes. `cpu` runs the host form of a kernel on
// all cores; `cuda:N` and `hip:N` open their runtime with dlopen and load the embedded images.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"
#include "kernels/module.hpp"

namespace harness {

using DeviceAddress = std::uint64_t;

struct DeviceInfo {
  std::string name;  // "cpu", "cuda:0"
  std::string
      description;  // "NVIDIA H200, compute capability 9.0, 139 GiB, driver 580.159.04 (CUDA 13.0)"
  std::string architecture;  // "x86-64", "sm_90", "gfx942"
  std::uint64_t memory_bytes = 0;
  nlohmann::ordered_json facts;  // GPU, UUID, driver, runtime: what a result records
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;

  virtual Result<DeviceAddress> allocate(std::uint64_t bytes) = 0;  // 256-byte aligned
  virtual Status release(DeviceAddress address) = 0;
  virtual Status write(DeviceAddress to, std::span<const std::uint8_t> from) = 0;
  virtual Status read(std::span<std::uint8_t> to, DeviceAddress from) = 0;
  virtual Status copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) = 0;

  // Why `entry` cannot run here, empty where it can: no image, an architecture that the image
  // lacks.
  virtual std::string unavailable(const kernels::Entry& entry) const = 0;
  // Launches and waits. Returns the seconds that the device took.
  virtual Result<double> launch(const kernels::Entry& entry,
                                std::span<const std::uint8_t> arguments, std::uint64_t blocks) = 0;
};

// What is known of devices without opening one: those present, and for each kind that is not, why.
struct DeviceSurvey {
  std::vector<DeviceInfo> present;
  struct Absent {
    std::string kind;    // "cuda", "hip"
    std::string reason;  // "libcuda.so.1 was not found"
  };
  std::vector<Absent> absent;
};
DeviceSurvey survey_devices();

// Error: unknown_device with the valid choices, or the runtime's error.
Result<std::unique_ptr<Device>> open_device(std::string_view name);

}  // namespace harness
