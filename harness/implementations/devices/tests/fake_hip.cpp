// A libamdhip64 whose device is the host's memory, as ROCm 6 has it or, with FAKE_ROCM_5, as ROCm 5
// has it. See fake_runtime.hpp for what it proves.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "harness/implementations/devices/hip_runtime.hpp"
#include "harness/implementations/devices/tests/fake_runtime.hpp"

using namespace harness::hip;  // NOLINT(google-build-using-namespace): its names are what is faked
using harness::testing::fake_state;
using harness::testing::FakeKernel;
using harness::testing::finish_streams;
using harness::testing::put_on_stream;

namespace {

constexpr Code invalid_value = 1;
constexpr Code not_found = 500;
int current = -1;  // the device that hipSetDevice chose

int setting(const char* name, int otherwise) {
  const auto& settings = fake_state().settings;
  const auto found = settings.find(name);
  return found == settings.end() ? otherwise : found->second;
}

Code live(int change) {
  fake_state().live += change;
  return success;
}

// For calls that need a device chosen before.
Code enter_on_device(const char* function) {
  const Code code = fake_state().enter(function);
  return code == success && current < 0 ? error_invalid_device : code;
}

Code properties(const char* function, const PropertiesLayout& layout, void* to, int device) {
  if (const Code code = fake_state().enter(function)) return code;
  if (device < 0) return invalid_value;
  std::memset(to, 0x7a, layout.bytes);
  std::strcpy(static_cast<char*>(to) + layout.architecture_at, "gfx90a:sramecc+:xnack-");
  return success;
}

}  // namespace

extern "C" {

const char* hipGetErrorName(Code code) {
  static const std::map<Code, const char*> names{
      {1, "hipErrorInvalidValue"},     {2, "hipErrorOutOfMemory"},
      {100, "hipErrorNoDevice"},       {101, "hipErrorInvalidDevice"},
      {209, "hipErrorNoBinaryForGpu"}, {500, "hipErrorNotFound"},
      {700, "hipErrorIllegalAddress"}, {701, "hipErrorLaunchOutOfResources"}};
  const auto found = names.find(code);
  return found == names.end() ? nullptr : found->second;
}

#ifdef FAKE_ROCM_5
Code hipGetDeviceProperties(void* to, int device) {
  return properties("hipGetDeviceProperties", layout_5, to, device);
}
#else
Code hipGetDevicePropertiesR0600(void* to, int device) {
  return properties("hipGetDevicePropertiesR0600", layout_6, to, device);
}
#endif

Code hipInit(unsigned flags) {
  if (const Code code = fake_state().enter("hipInit")) return code;
  return flags == 0 ? success : invalid_value;
}

Code hipDriverGetVersion(int* version) {
  if (const Code code = fake_state().enter("hipDriverGetVersion")) return code;
  *version = 60'342'134;
  return success;
}

Code hipGetDeviceCount(int* count) {
  if (const Code code = fake_state().enter("hipGetDeviceCount")) return code;
  *count = setting("devices", 2);
  return success;
}

Code hipSetDevice(DeviceOrdinal device) {
  if (const Code code = fake_state().enter("hipSetDevice")) return code;
  current = device;
  return success;
}

Code hipDeviceGetName(char* name, int bytes, DeviceOrdinal) {
  if (const Code code = fake_state().enter("hipDeviceGetName")) return code;
  std::strncpy(name, "Fake Instinct", static_cast<std::size_t>(bytes));
  return success;
}

Code hipDeviceGetUuid(Uuid* uuid, DeviceOrdinal) {
  if (const Code code = fake_state().enter("hipDeviceGetUuid")) return code;
  std::memcpy(uuid->bytes, "0123456789abcdef", sizeof(uuid->bytes));
  return success;
}

Code hipDeviceGetPCIBusId(char* address, int bytes, DeviceOrdinal device) {
  if (const Code code = fake_state().enter("hipDeviceGetPCIBusId")) return code;
  std::snprintf(address, static_cast<std::size_t>(bytes), "0000:%02x:00.0", 0xc1 + device);
  return success;
}

Code hipDeviceTotalMem(std::size_t* bytes, DeviceOrdinal) {
  if (const Code code = fake_state().enter("hipDeviceTotalMem")) return code;
  *bytes = std::size_t{64} << 30;
  return success;
}

Code hipMalloc(void** address, std::size_t bytes) {
  if (const Code code = enter_on_device("hipMalloc")) return code;
  *address = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return live(1);
}

Code hipFree(void* address) {
  if (const Code code = fake_state().enter("hipFree")) return code;
  std::free(address);
  return live(-1);
}

Code hipMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
  if (const Code code = enter_on_device("hipMemcpy")) return code;
  if (kind != memcpy_host_to_device && kind != memcpy_device_to_host) return invalid_value;
  std::memcpy(to, from, bytes);
  return success;
}

Code hipMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, Stream* stream) {
  if (const Code code = enter_on_device("hipMemcpyAsync")) return code;
  if (kind != memcpy_device_to_device) return invalid_value;
  put_on_stream(stream, [=] { std::memcpy(to, from, bytes); });
  return success;
}

Code hipMemsetAsync(void* at, int value, std::size_t bytes, Stream* stream) {
  if (const Code code = enter_on_device("hipMemsetAsync")) return code;
  put_on_stream(stream, [=] { std::memset(at, value, bytes); });
  return success;
}

Code hipLaunchHostFunc(Stream* stream, void (*function)(void*), void* argument) {
  if (const Code code = enter_on_device("hipLaunchHostFunc")) return code;
  put_on_stream(stream, [=] { function(argument); });
  return success;
}

Code hipModuleLoadData(Module** module, const void* image) {
  if (const Code code = enter_on_device("hipModuleLoadData")) return code;
  *module = static_cast<Module*>(const_cast<void*>(image));
  return live(1);
}

Code hipModuleUnload(Module*) {
  fake_state().enter("hipModuleUnload");
  return live(-1);
}

Code hipModuleGetFunction(Function** function, Module*, const char* name) {
  if (const Code code = fake_state().enter("hipModuleGetFunction")) return code;
  const auto found = fake_state().kernels.find(name);
  if (found == fake_state().kernels.end()) return not_found;
  *function = reinterpret_cast<Function*>(found->second);
  return success;
}

Code hipModuleLaunchKernel(Function* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                           unsigned block_x, unsigned block_y, unsigned block_z,
                           unsigned shared_bytes, Stream*, void** parameters, void** extra) {
  if (const Code code = enter_on_device("hipModuleLaunchKernel")) return code;
  if (parameters != nullptr) return invalid_value;
  // The runtime takes the five words of `extra` in this order and no other.
  if (extra[0] != launch_param_buffer_pointer || extra[2] != launch_param_buffer_size ||
      extra[4] != launch_param_end) {
    return invalid_value;
  }
  harness::testing::run_fake_kernel(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z},
                                    shared_bytes, extra[1], *static_cast<std::size_t*>(extra[3]));
  return success;
}

Code hipDeviceSynchronize() {
  finish_streams();
  return enter_on_device("hipDeviceSynchronize");
}

Code hipStreamCreateWithFlags(Stream** stream, unsigned flags) {
  if (const Code code = enter_on_device("hipStreamCreateWithFlags")) return code;
  *stream = reinterpret_cast<Stream*>(std::uintptr_t{0x57});
  return flags == stream_non_blocking ? live(1) : invalid_value;
}

Code hipStreamDestroy(Stream*) {
  fake_state().enter("hipStreamDestroy");
  return live(-1);
}

Code hipEventCreate(Event** event) {
  if (const Code code = enter_on_device("hipEventCreate")) return code;
  static std::uintptr_t next = 0xe0;
  *event = reinterpret_cast<Event*>(next++);
  return live(1);
}

Code hipEventRecord(Event*, Stream*) { return enter_on_device("hipEventRecord"); }
Code hipEventSynchronize(Event*) {
  finish_streams();
  return fake_state().enter("hipEventSynchronize");
}

Code hipEventElapsedTime(float* milliseconds, Event* start, Event* end) {
  if (const Code code = fake_state().enter("hipEventElapsedTime")) return code;
  *milliseconds = 2.5F;
  return start == nullptr || end == nullptr || start == end ? invalid_value : success;
}

Code hipEventDestroy(Event*) {
  fake_state().enter("hipEventDestroy");
  return live(-1);
}

}  // extern "C"
