// The CUDA driver API, as much of it as the device `cuda:N` calls, declared here so that building
// needs no CUDA header (CUDA Driver API 12.0 and later;
// harness/implementations/devices/tests/cuda_declarations_test.cpp compares it with cuda.h where
// that is at hand) and opened with dlopen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/implementations/devices/architecture.hpp"
#include "harness/implementations/devices/runtime_library.hpp"
#include "harness/model/result.hpp"

namespace harness::cuda {

using Code = int;  // CUresult
using DeviceOrdinal = int;
using Address = unsigned long long;
struct Context;
struct Module;
struct Function;
struct Stream;
struct Event;
using Handle = unsigned long long;

inline constexpr Code success = 0;
inline constexpr Code error_out_of_memory = 2;
inline constexpr Code error_no_device = 100;

// After these the context is of no more use in this process (cuda.h says so of each).
bool is_sticky(Code code);

inline constexpr int attribute_multiprocessor_count = 16;
inline constexpr int attribute_ecc_enabled = 32;
inline constexpr int attribute_capability_major = 75;
inline constexpr int attribute_capability_minor = 76;
inline constexpr int attribute_virtual_memory_management = 102;

struct Uuid {
  std::uint8_t bytes[16];
};

struct Location {
  int type;  // location_device
  int id;
};
inline constexpr int location_device = 1;

struct AllocationProperties {
  int type;  // allocation_pinned
  int requested_handle_types;
  Location location;
  void* win32_handle_metadata;
  struct {
    unsigned char compression_type;
    unsigned char gpu_direct_rdma_capable;
    unsigned short usage;
    unsigned char reserved[4];
  } flags;
};
inline constexpr int allocation_pinned = 1;
inline constexpr int granularity_minimum = 0;

struct AccessDescription {
  Location location;
  int flags;  // access_read_write
};
inline constexpr int access_read_write = 3;

// Of a function: CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES. Up to 48 KiB need no asking.
inline constexpr int attribute_max_dynamic_shared_bytes = 8;
inline constexpr std::uint32_t shared_bytes_without_asking = 48 << 10;

inline constexpr unsigned stream_non_blocking = 1;

inline constexpr int jit_error_log_buffer = 5;
inline constexpr int jit_error_log_buffer_size_bytes = 6;

// Keys of cuLaunchKernel's `extra` list.
inline void* const launch_param_end = nullptr;
inline void* const launch_param_buffer_pointer = reinterpret_cast<void*>(1);
inline void* const launch_param_buffer_size = reinterpret_cast<void*>(2);

// The functions by their names in cuda.h; where a name has versions, the one that cuda.h chooses,
// but for cuEventElapsedTime: its second version needs a driver of CUDA 12.8.
struct Driver {
  Code (*cuInit)(unsigned flags);
  Code (*cuDriverGetVersion)(int* version);
  Code (*cuGetErrorName)(Code, const char** name);
  Code (*cuDeviceGetCount)(int* count);
  Code (*cuDeviceGet)(DeviceOrdinal*, int ordinal);
  Code (*cuDeviceGetName)(char* name, int bytes, DeviceOrdinal);
  Code (*cuDeviceGetUuid)(Uuid*, DeviceOrdinal);
  Code (*cuDeviceGetPCIBusId)(char* address, int bytes, DeviceOrdinal);
  Code (*cuDeviceTotalMem)(std::size_t* bytes, DeviceOrdinal);
  Code (*cuDeviceGetAttribute)(int* value, int attribute, DeviceOrdinal);
  Code (*cuDevicePrimaryCtxRetain)(Context**, DeviceOrdinal);
  Code (*cuDevicePrimaryCtxRelease)(DeviceOrdinal);
  Code (*cuCtxSetCurrent)(Context*);
  Code (*cuMemAlloc)(Address*, std::size_t bytes);
  Code (*cuMemFree)(Address);
  Code (*cuMemGetAllocationGranularity)(std::size_t*, const AllocationProperties*, int option);
  Code (*cuMemAddressReserve)(Address*, std::size_t bytes, std::size_t alignment, Address wanted,
                              unsigned long long flags);
  Code (*cuMemAddressFree)(Address, std::size_t bytes);
  Code (*cuMemCreate)(Handle*, std::size_t bytes, const AllocationProperties*,
                      unsigned long long flags);
  Code (*cuMemRelease)(Handle);
  Code (*cuMemMap)(Address, std::size_t bytes, std::size_t offset, Handle,
                   unsigned long long flags);
  Code (*cuMemUnmap)(Address, std::size_t bytes);
  Code (*cuMemSetAccess)(Address, std::size_t bytes, const AccessDescription*, std::size_t count);
  Code (*cuMemcpyHtoD)(Address to, const void* from, std::size_t bytes);
  Code (*cuMemcpyDtoH)(void* to, Address from, std::size_t bytes);
  Code (*cuMemcpyDtoDAsync)(Address to, Address from, std::size_t bytes, Stream*);
  Code (*cuMemsetD8Async)(Address, unsigned char value, std::size_t count, Stream*);
  Code (*cuModuleLoadDataEx)(Module**, const void* image, unsigned count, int* options,
                             void** values);
  Code (*cuModuleUnload)(Module*);
  Code (*cuModuleGetFunction)(Function**, Module*, const char* name);
  Code (*cuFuncSetAttribute)(Function*, int attribute, int value);
  Code (*cuLaunchKernel)(Function*, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                         unsigned block_x, unsigned block_y, unsigned block_z,
                         unsigned shared_bytes, Stream*, void** parameters, void** extra);
  Code (*cuCtxSynchronize)();
  Code (*cuStreamCreate)(Stream**, unsigned flags);
  Code (*cuLaunchHostFunc)(Stream*, void (*function)(void*), void* argument);
  Code (*cuStreamDestroy)(Stream*);
  Code (*cuEventCreate)(Event**, unsigned flags);
  Code (*cuEventRecord)(Event*, Stream*);
  Code (*cuEventSynchronize)(Event*);
  Code (*cuEventElapsedTime)(float* milliseconds, Event* start, Event* end);
  Code (*cuEventDestroy)(Event*);

  int version = 0;            // the CUDA release that the driver belongs to, 13000 for 13.0
  std::string file_name;      // of the library
  std::string driver_number;  // "580.159.04"

  Version release() const { return {version / 1000, version % 1000 / 10}; }
  std::string error_name(Code code) const;
};

// Opens libcuda.so.1, or the library that FP4CTS_CUDA_LIBRARY names, and initializes it. The
// library stays open until the process ends. Error: device_absent with the reason.
Result<Driver> load_driver();

// Calls resolve(symbol, member) for every function of the driver, and stops at the first error.
template <class Resolve>
Status for_each_function(Driver& d, const Resolve& resolve) {
  Status status;
  const auto next = [&](const char* symbol, auto& member) {
    if (status) status = resolve(symbol, member);
  };
  next("cuInit", d.cuInit);
  next("cuDriverGetVersion", d.cuDriverGetVersion);
  next("cuGetErrorName", d.cuGetErrorName);
  next("cuDeviceGetCount", d.cuDeviceGetCount);
  next("cuDeviceGet", d.cuDeviceGet);
  next("cuDeviceGetName", d.cuDeviceGetName);
  next("cuDeviceGetUuid_v2", d.cuDeviceGetUuid);
  next("cuDeviceGetPCIBusId", d.cuDeviceGetPCIBusId);
  next("cuDeviceTotalMem_v2", d.cuDeviceTotalMem);
  next("cuDeviceGetAttribute", d.cuDeviceGetAttribute);
  next("cuDevicePrimaryCtxRetain", d.cuDevicePrimaryCtxRetain);
  next("cuDevicePrimaryCtxRelease_v2", d.cuDevicePrimaryCtxRelease);
  next("cuCtxSetCurrent", d.cuCtxSetCurrent);
  next("cuMemAlloc_v2", d.cuMemAlloc);
  next("cuMemFree_v2", d.cuMemFree);
  next("cuMemGetAllocationGranularity", d.cuMemGetAllocationGranularity);
  next("cuMemAddressReserve", d.cuMemAddressReserve);
  next("cuMemAddressFree", d.cuMemAddressFree);
  next("cuMemCreate", d.cuMemCreate);
  next("cuMemRelease", d.cuMemRelease);
  next("cuMemMap", d.cuMemMap);
  next("cuMemUnmap", d.cuMemUnmap);
  next("cuMemSetAccess", d.cuMemSetAccess);
  next("cuMemcpyHtoD_v2", d.cuMemcpyHtoD);
  next("cuMemcpyDtoH_v2", d.cuMemcpyDtoH);
  next("cuMemcpyDtoDAsync_v2", d.cuMemcpyDtoDAsync);
  next("cuMemsetD8Async", d.cuMemsetD8Async);
  next("cuModuleLoadDataEx", d.cuModuleLoadDataEx);
  next("cuModuleUnload", d.cuModuleUnload);
  next("cuModuleGetFunction", d.cuModuleGetFunction);
  next("cuFuncSetAttribute", d.cuFuncSetAttribute);
  next("cuLaunchKernel", d.cuLaunchKernel);
  next("cuCtxSynchronize", d.cuCtxSynchronize);
  next("cuStreamCreate", d.cuStreamCreate);
  next("cuLaunchHostFunc", d.cuLaunchHostFunc);
  next("cuStreamDestroy_v2", d.cuStreamDestroy);
  next("cuEventCreate", d.cuEventCreate);
  next("cuEventRecord", d.cuEventRecord);
  next("cuEventSynchronize", d.cuEventSynchronize);
  next("cuEventElapsedTime", d.cuEventElapsedTime);
  next("cuEventDestroy_v2", d.cuEventDestroy);
  return status;
}

}  // namespace harness::cuda
