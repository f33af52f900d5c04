// A libcuda whose device is the host's memory. See fake_runtime.hpp for what it proves.
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>

#include "harness/implementations/devices/cuda_driver.hpp"
#include "harness/implementations/devices/tests/fake_runtime.hpp"

using namespace harness::cuda;  // NOLINT(google-build-using-namespace): its names are what is faked
using harness::testing::fake_state;
using harness::testing::FakeKernel;
using harness::testing::finish_streams;
using harness::testing::put_on_stream;

namespace {

constexpr Code invalid_value = 1;
constexpr Code not_found = 500;
constexpr std::size_t granule = std::size_t{2} << 20;

// What stands behind the handles.
struct Kernel {
  FakeKernel run;
};
std::map<Handle, std::size_t> handles;
std::map<Address, std::size_t> reservations;
std::map<Address, std::size_t> mappings;

int setting(const char* name, int otherwise) {
  const auto& settings = fake_state().settings;
  const auto found = settings.find(name);
  return found == settings.end() ? otherwise : found->second;
}

template <class T>
T* pointer(Address address) {
  return reinterpret_cast<T*>(address);
}

// Counts a thing made or given back.
Code live(int change) {
  fake_state().live += change;
  return success;
}

}  // namespace

extern "C" {

Code cuGetErrorName(Code code, const char** name) {
  static const std::map<Code, const char*> names{{1, "CUDA_ERROR_INVALID_VALUE"},
                                                 {2, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                 {100, "CUDA_ERROR_NO_DEVICE"},
                                                 {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
                                                 {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
                                                 {500, "CUDA_ERROR_NOT_FOUND"},
                                                 {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
                                                 {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"}};
  const auto found = names.find(code);
  if (found == names.end()) return invalid_value;
  *name = found->second;
  return success;
}

Code cuInit(unsigned flags) {
  if (const Code code = fake_state().enter("cuInit")) return code;
  return flags == 0 ? success : invalid_value;
}

Code cuDriverGetVersion(int* version) {
  if (const Code code = fake_state().enter("cuDriverGetVersion")) return code;
  *version = setting("driver", 13000);
  return success;
}

Code cuDeviceGetCount(int* count) {
  if (const Code code = fake_state().enter("cuDeviceGetCount")) return code;
  const char* const devices = std::getenv("FAKE_CUDA_DEVICES");
  *count = setting("devices", devices != nullptr ? std::atoi(devices) : 2);
  return success;
}

Code cuDeviceGet(DeviceOrdinal* device, int ordinal) {
  if (const Code code = fake_state().enter("cuDeviceGet")) return code;
  *device = ordinal + 40;  // a handle, not the ordinal
  return success;
}

Code cuDeviceGetName(char* name, int bytes, DeviceOrdinal device) {
  if (const Code code = fake_state().enter("cuDeviceGetName")) return code;
  if (device < 40) return invalid_value;
  std::strncpy(name, "Fake GPU", static_cast<std::size_t>(bytes));
  return success;
}

Code cuDeviceGetUuid_v2(Uuid* uuid, DeviceOrdinal device) {
  if (const Code code = fake_state().enter("cuDeviceGetUuid_v2")) return code;
  if (device < 40) return invalid_value;
  for (std::size_t i = 0; i < std::size(uuid->bytes); ++i) {
    uuid->bytes[i] = static_cast<std::uint8_t>(17 * i);
  }
  return success;
}

Code cuDeviceGetPCIBusId(char* address, int bytes, DeviceOrdinal device) {
  if (const Code code = fake_state().enter("cuDeviceGetPCIBusId")) return code;
  if (device < 40) return invalid_value;
  std::snprintf(address, static_cast<std::size_t>(bytes), "0000:%02X:00.0", 0x3a + device - 40);
  return success;
}

Code cuDeviceTotalMem_v2(std::size_t* bytes, DeviceOrdinal device) {
  if (const Code code = fake_state().enter("cuDeviceTotalMem_v2")) return code;
  *bytes = std::size_t{8} << 30;
  return device < 40 ? invalid_value : success;
}

Code cuDeviceGetAttribute(int* value, int attribute, DeviceOrdinal device) {
  if (const Code code = fake_state().enter("cuDeviceGetAttribute")) return code;
  if (device < 40) return invalid_value;
  switch (attribute) {
    case attribute_capability_major:
      *value = setting("major", 9);
      return success;
    case attribute_capability_minor:
      *value = setting("minor", 0);
      return success;
    case attribute_multiprocessor_count:
      *value = 7;
      return success;
    case attribute_ecc_enabled:
      *value = 1;
      return success;
    case attribute_virtual_memory_management:
      *value = setting("virtual_memory", 1);
      return success;
    default:
      return invalid_value;
  }
}

Code cuDevicePrimaryCtxRetain(Context** context, DeviceOrdinal device) {
  if (const Code code = fake_state().enter("cuDevicePrimaryCtxRetain")) return code;
  *context = reinterpret_cast<Context*>(std::uintptr_t{0xc0} + static_cast<unsigned>(device));
  return live(1);
}

Code cuDevicePrimaryCtxRelease_v2(DeviceOrdinal) {
  fake_state().enter("cuDevicePrimaryCtxRelease_v2");
  return live(-1);
}

Code cuCtxSetCurrent(Context*) { return fake_state().enter("cuCtxSetCurrent"); }

Code cuMemAlloc_v2(Address* address, std::size_t bytes) {
  if (const Code code = fake_state().enter("cuMemAlloc_v2")) return code;
  *address = reinterpret_cast<Address>(std::aligned_alloc(256, bytes));
  return live(1);
}

Code cuMemFree_v2(Address address) {
  if (const Code code = fake_state().enter("cuMemFree_v2")) return code;
  std::free(pointer<void>(address));
  return live(-1);
}

Code cuMemGetAllocationGranularity(std::size_t* bytes, const AllocationProperties* properties,
                                   int option) {
  if (const Code code = fake_state().enter("cuMemGetAllocationGranularity")) return code;
  if (properties->type != allocation_pinned || option != granularity_minimum) return invalid_value;
  *bytes = granule;
  return success;
}

Code cuMemAddressReserve(Address* address, std::size_t bytes, std::size_t alignment, Address wanted,
                         unsigned long long flags) {
  if (const Code code = fake_state().enter("cuMemAddressReserve")) return code;
  if (bytes % granule != 0 || alignment != 0 || wanted != 0 || flags != 0) return invalid_value;
  void* memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return error_out_of_memory;
  *address = reinterpret_cast<Address>(memory);
  reservations[*address] = bytes;
  return live(1);
}

Code cuMemAddressFree(Address address, std::size_t bytes) {
  if (const Code code = fake_state().enter("cuMemAddressFree")) return code;
  const auto found = reservations.find(address);
  if (found == reservations.end() || found->second != bytes) return invalid_value;
  for (const auto& [mapped, size] : mappings) {
    if (mapped >= address && mapped < address + bytes) return invalid_value;  // still mapped
  }
  munmap(pointer<void>(address), bytes);
  reservations.erase(found);
  return live(-1);
}

Code cuMemCreate(Handle* handle, std::size_t bytes, const AllocationProperties* properties,
                 unsigned long long flags) {
  if (const Code code = fake_state().enter("cuMemCreate")) return code;
  const bool here = properties->type == allocation_pinned &&
                    properties->location.type == location_device && properties->location.id >= 40;
  if (!here || bytes % granule != 0 || flags != 0) return invalid_value;
  static Handle next = 1;
  *handle = next++;
  handles[*handle] = bytes;
  return live(1);
}

Code cuMemRelease(Handle handle) {
  if (const Code code = fake_state().enter("cuMemRelease")) return code;
  return handles.erase(handle) == 1 ? live(-1) : invalid_value;
}

Code cuMemMap(Address address, std::size_t bytes, std::size_t offset, Handle handle,
              unsigned long long flags) {
  if (const Code code = fake_state().enter("cuMemMap")) return code;
  const auto memory = handles.find(handle);
  auto reserved = reservations.upper_bound(address);
  if (memory == handles.end() || memory->second != bytes || offset != 0 || flags != 0 ||
      reserved == reservations.begin()) {
    return invalid_value;
  }
  --reserved;
  if (address + bytes > reserved->first + reserved->second) return invalid_value;
  mappings[address] = bytes;
  return live(1);
}

Code cuMemUnmap(Address address, std::size_t bytes) {
  if (const Code code = fake_state().enter("cuMemUnmap")) return code;
  const auto found = mappings.find(address);
  if (found == mappings.end() || found->second != bytes) return invalid_value;
  mappings.erase(found);
  return live(-1);
}

Code cuMemSetAccess(Address address, std::size_t bytes, const AccessDescription* access,
                    std::size_t count) {
  if (const Code code = fake_state().enter("cuMemSetAccess")) return code;
  const auto found = mappings.find(address);
  if (found == mappings.end() || found->second != bytes || count != 1 ||
      access->flags != access_read_write || access->location.id < 40) {
    return invalid_value;
  }
  return mprotect(pointer<void>(address), bytes, PROT_READ | PROT_WRITE) == 0 ? success
                                                                              : invalid_value;
}

Code cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes) {
  if (const Code code = fake_state().enter("cuMemcpyHtoD_v2")) return code;
  std::memcpy(pointer<void>(to), from, bytes);
  return success;
}

Code cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes) {
  if (const Code code = fake_state().enter("cuMemcpyDtoH_v2")) return code;
  std::memcpy(to, pointer<void>(from), bytes);
  return success;
}

Code cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, Stream* stream) {
  if (const Code code = fake_state().enter("cuMemcpyDtoDAsync_v2")) return code;
  put_on_stream(stream, [=] { std::memcpy(pointer<void>(to), pointer<void>(from), bytes); });
  return success;
}

Code cuMemsetD8Async(Address at, unsigned char value, std::size_t count, Stream* stream) {
  if (const Code code = fake_state().enter("cuMemsetD8Async")) return code;
  put_on_stream(stream, [=] { std::memset(pointer<void>(at), value, count); });
  return success;
}

Code cuLaunchHostFunc(Stream* stream, void (*function)(void*), void* argument) {
  if (const Code code = fake_state().enter("cuLaunchHostFunc")) return code;
  put_on_stream(stream, [=] { function(argument); });
  return success;
}

Code cuModuleLoadDataEx(Module** module, const void* image, unsigned count, int* options,
                        void** values) {
  const Code code = fake_state().enter("cuModuleLoadDataEx");
  if (code != success) {
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] == jit_error_log_buffer) {
        std::strcpy(static_cast<char*>(values[i]), "fake log");
      }
    }
    return code;
  }
  *module = static_cast<Module*>(const_cast<void*>(image));
  return live(1);
}

Code cuModuleUnload(Module*) {
  fake_state().enter("cuModuleUnload");
  return live(-1);
}

Code cuModuleGetFunction(Function** function, Module*, const char* name) {
  if (const Code code = fake_state().enter("cuModuleGetFunction")) return code;
  const auto found = fake_state().kernels.find(name);
  if (found == fake_state().kernels.end()) return not_found;
  *function = reinterpret_cast<Function*>(found->second);
  return success;
}

Code cuFuncSetAttribute(Function*, int attribute, int value) {
  if (const Code code = fake_state().enter("cuFuncSetAttribute")) return code;
  if (attribute != attribute_max_dynamic_shared_bytes) return invalid_value;
  fake_state().settings["shared_bytes"] = value;
  return success;
}

Code cuLaunchKernel(Function* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                    Stream*, void** parameters, void** extra) {
  if (const Code code = fake_state().enter("cuLaunchKernel")) return code;
  const std::uint32_t allowed = fake_state().settings.contains("shared_bytes")
                                    ? static_cast<std::uint32_t>(setting("shared_bytes", 0))
                                    : shared_bytes_without_asking;
  if (shared_bytes > allowed || parameters != nullptr) return invalid_value;
  const void* arguments = nullptr;
  std::size_t bytes = 0;
  for (; *extra != launch_param_end; extra += 2) {
    if (*extra == launch_param_buffer_pointer) arguments = extra[1];
    if (*extra == launch_param_buffer_size) bytes = *static_cast<std::size_t*>(extra[1]);
  }
  if (arguments == nullptr || bytes == 0) return invalid_value;
  harness::testing::run_fake_kernel(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z},
                                    shared_bytes, arguments, bytes);
  return success;
}

Code cuCtxSynchronize() {
  finish_streams();
  return fake_state().enter("cuCtxSynchronize");
}

Code cuStreamCreate(Stream** stream, unsigned flags) {
  if (const Code code = fake_state().enter("cuStreamCreate")) return code;
  *stream = reinterpret_cast<Stream*>(std::uintptr_t{0x57});
  return flags == stream_non_blocking ? live(1) : invalid_value;
}

Code cuStreamDestroy_v2(Stream*) {
  fake_state().enter("cuStreamDestroy_v2");
  return live(-1);
}

Code cuEventCreate(Event** event, unsigned) {
  if (const Code code = fake_state().enter("cuEventCreate")) return code;
  static std::uintptr_t next = 0xe0;
  *event = reinterpret_cast<Event*>(next++);
  return live(1);
}

Code cuEventRecord(Event*, Stream*) { return fake_state().enter("cuEventRecord"); }
Code cuEventSynchronize(Event*) {
  finish_streams();
  return fake_state().enter("cuEventSynchronize");
}

Code cuEventElapsedTime(float* milliseconds, Event* start, Event* end) {
  if (const Code code = fake_state().enter("cuEventElapsedTime")) return code;
  *milliseconds = 2.5F;
  return start == nullptr || end == nullptr || start == end ? invalid_value : success;
}

Code cuEventDestroy_v2(Event*) {
  fake_state().enter("cuEventDestroy_v2");
  return live(-1);
}

}  // extern "C"
