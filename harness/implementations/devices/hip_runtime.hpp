// The HIP runtime, as much of it as the device `hip:N` calls, declared here so that building needs
// no HIP header and opened with dlopen (ROCm 5 to 7;
// harness/implementations/devices/tests/hip_declarations_test.cpp compares it with
// hip_runtime_api.h where that is at hand). No AMD GPU was at hand when this was written: it has
// run over a fake runtime and over a real one that finds no GPU, and nothing else.
#pragma once

#include <cstddef>
#include <string>

#include "harness/implementations/devices/runtime_library.hpp"
#include "harness/model/result.hpp"

namespace harness::hip {

using Code = int;  // hipError_t
using DeviceOrdinal = int;
struct Module;
struct Function;
struct Stream;
struct Event;

inline constexpr Code success = 0;
inline constexpr Code error_out_of_memory = 2;
inline constexpr Code error_no_device = 100;
inline constexpr Code error_invalid_device = 101;  // what ROCm 5.2 says where there is none

// After these nothing more can be done in this process. Often it does not come to that: the ROCm
// runtime itself aborts the process on a memory fault, which is then a crash of the child.
bool is_sticky(Code code);

struct Uuid {
  char bytes[16];
};

// hipDeviceProp_t grew with ROCm 6, which gave the function a new name and kept the old one for the
// old struct. All that is read of either is the architecture's name, at these places.
struct PropertiesLayout {
  const char* function;
  std::size_t bytes;
  std::size_t architecture_at;  // char[256]
};
inline constexpr PropertiesLayout layout_6{"hipGetDevicePropertiesR0600", 1472, 1160};
inline constexpr PropertiesLayout layout_5{"hipGetDeviceProperties", 792, 396};

inline constexpr int memcpy_host_to_device = 1;
inline constexpr int memcpy_device_to_host = 2;
inline constexpr int memcpy_device_to_device = 3;

inline constexpr unsigned stream_non_blocking = 1;

// Keys of hipModuleLaunchKernel's `extra` list.
inline void* const launch_param_buffer_pointer = reinterpret_cast<void*>(1);
inline void* const launch_param_buffer_size = reinterpret_cast<void*>(2);
inline void* const launch_param_end = reinterpret_cast<void*>(3);

// The functions by their names in hip_runtime_api.h.
struct Runtime {
  Code (*hipInit)(unsigned flags);
  Code (*hipDriverGetVersion)(int* version);
  const char* (*hipGetErrorName)(Code);
  Code (*hipGetDeviceCount)(int* count);
  Code (*hipSetDevice)(DeviceOrdinal);
  Code (*hipDeviceGetName)(char* name, int bytes, DeviceOrdinal);
  Code (*hipDeviceGetUuid)(Uuid*, DeviceOrdinal);
  Code (*hipDeviceGetPCIBusId)(char* address, int bytes, DeviceOrdinal);
  Code (*hipDeviceTotalMem)(std::size_t* bytes, DeviceOrdinal);
  Code (*hipMalloc)(void**, std::size_t bytes);
  Code (*hipFree)(void*);
  Code (*hipMemcpy)(void* to, const void* from, std::size_t bytes, int kind);
  Code (*hipMemcpyAsync)(void* to, const void* from, std::size_t bytes, int kind, Stream*);
  Code (*hipMemsetAsync)(void*, int value, std::size_t bytes, Stream*);
  Code (*hipModuleLoadData)(Module**, const void* image);
  Code (*hipModuleUnload)(Module*);
  Code (*hipModuleGetFunction)(Function**, Module*, const char* name);
  Code (*hipModuleLaunchKernel)(Function*, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                unsigned block_x, unsigned block_y, unsigned block_z,
                                unsigned shared_bytes, Stream*, void** parameters, void** extra);
  Code (*hipDeviceSynchronize)();
  Code (*hipStreamCreateWithFlags)(Stream**, unsigned flags);
  Code (*hipLaunchHostFunc)(Stream*, void (*function)(void*), void* argument);
  Code (*hipStreamDestroy)(Stream*);
  Code (*hipEventCreate)(Event**);
  Code (*hipEventRecord)(Event*, Stream*);
  Code (*hipEventSynchronize)(Event*);
  Code (*hipEventElapsedTime)(float* milliseconds, Event* start, Event* end);
  Code (*hipEventDestroy)(Event*);
  // By whichever name the library has it.
  Code (*get_properties)(void* properties, DeviceOrdinal);

  PropertiesLayout properties;
  std::string version;    // "5.2.21153"
  std::string file_name;  // "libamdhip64.so.5.2.21153"

  std::string error_name(Code code) const;
};

// Opens libamdhip64.so.7, .6 or .5, or the library that FP4CTS_HIP_LIBRARY names, and initializes
// it. The library stays open until the process ends. Error: device_absent with the reason.
Result<Runtime> load_runtime();

// Calls resolve(symbol, member) for every function of the runtime but get_properties, and stops at
// the first error.
template <class Resolve>
Status for_each_function(Runtime& r, const Resolve& resolve) {
  Status status;
  const auto next = [&](const char* symbol, auto& member) {
    if (status) status = resolve(symbol, member);
  };
  next("hipInit", r.hipInit);
  next("hipDriverGetVersion", r.hipDriverGetVersion);
  next("hipGetErrorName", r.hipGetErrorName);
  next("hipGetDeviceCount", r.hipGetDeviceCount);
  next("hipSetDevice", r.hipSetDevice);
  next("hipDeviceGetName", r.hipDeviceGetName);
  next("hipDeviceGetUuid", r.hipDeviceGetUuid);
  next("hipDeviceGetPCIBusId", r.hipDeviceGetPCIBusId);
  next("hipDeviceTotalMem", r.hipDeviceTotalMem);
  next("hipMalloc", r.hipMalloc);
  next("hipFree", r.hipFree);
  next("hipMemcpy", r.hipMemcpy);
  next("hipMemcpyAsync", r.hipMemcpyAsync);
  next("hipMemsetAsync", r.hipMemsetAsync);
  next("hipModuleLoadData", r.hipModuleLoadData);
  next("hipModuleUnload", r.hipModuleUnload);
  next("hipModuleGetFunction", r.hipModuleGetFunction);
  next("hipModuleLaunchKernel", r.hipModuleLaunchKernel);
  next("hipDeviceSynchronize", r.hipDeviceSynchronize);
  next("hipStreamCreateWithFlags", r.hipStreamCreateWithFlags);
  next("hipLaunchHostFunc", r.hipLaunchHostFunc);
  next("hipStreamDestroy", r.hipStreamDestroy);
  next("hipEventCreate", r.hipEventCreate);
  next("hipEventRecord", r.hipEventRecord);
  next("hipEventSynchronize", r.hipEventSynchronize);
  next("hipEventElapsedTime", r.hipEventElapsedTime);
  next("hipEventDestroy", r.hipEventDestroy);
  return status;
}

}  // namespace harness::hip
