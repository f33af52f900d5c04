// NVIDIA's management library, as much of it as a record asks for, declared here so that building
// needs no header of it (NVML of drivers 450 and later) and opened with dlopen. A function that the
// library lacks is null: older and newer ones have others.
#pragma once

#include <string>

#include "harness/implementations/devices/runtime_library.hpp"
#include "harness/model/result.hpp"

namespace harness::nvml {

using Code = int;  // nvmlReturn_t
struct DeviceHandle;
using Device = DeviceHandle*;

inline constexpr Code success = 0;
inline constexpr Code function_not_found = 13;

inline constexpr unsigned version_bytes = 96;
inline constexpr unsigned name_bytes = 96;

inline constexpr int clock_sm = 1;
inline constexpr int clock_memory = 2;
inline constexpr int sensor_gpu = 0;
inline constexpr int error_corrected = 0;
inline constexpr int error_uncorrected = 1;
inline constexpr int counter_volatile = 0;
inline constexpr unsigned mig_enabled = 1;

// The functions by their names in nvml.h.
struct Library {
  Code (*nvmlInit)();
  const char* (*nvmlErrorString)(Code);
  Code (*nvmlSystemGetDriverVersion)(char* text, unsigned bytes);
  Code (*nvmlDeviceGetHandleByPciBusId)(const char* pci, Device*);
  Code (*nvmlDeviceGetHandleByUUID)(const char* uuid, Device*);
  Code (*nvmlDeviceGetName)(Device, char* text, unsigned bytes);
  Code (*nvmlDeviceGetVbiosVersion)(Device, char* text, unsigned bytes);
  Code (*nvmlDeviceGetClockInfo)(Device, int clock, unsigned* mhz);
  Code (*nvmlDeviceGetMaxClockInfo)(Device, int clock, unsigned* mhz);
  Code (*nvmlDeviceGetCurrentClocksThrottleReasons)(Device, unsigned long long* bits);
  Code (*nvmlDeviceGetEnforcedPowerLimit)(Device, unsigned* milliwatts);
  Code (*nvmlDeviceGetTemperature)(Device, int sensor, unsigned* celsius);
  Code (*nvmlDeviceGetComputeMode)(Device, int* mode);
  Code (*nvmlDeviceGetMigMode)(Device, unsigned* current, unsigned* pending);
  Code (*nvmlDeviceGetEccMode)(Device, int* current, int* pending);
  Code (*nvmlDeviceGetTotalEccErrors)(Device, int error, int counter, unsigned long long* count);

  std::string error_text(Code code) const;
};

// Opens libnvidia-ml.so.1, or the library that FP4CTS_NVML_LIBRARY names, and initializes it; it
// stays so until the process ends. Error: device_absent with the reason.
Result<Library> load_library();
const Result<Library>& library();  // the one of this process

}  // namespace harness::nvml
