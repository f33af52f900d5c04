// An NVML with boards of its own; what it says is set through fake_runtime.hpp, or, in a process
// that a test cannot reach into, by the environment:
//
//   FAKE_NVML_TALLY=FILE   the corrected errors are as many as the file has bytes; each process
//   that
//                          opens NVML adds one
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "harness/implementations/boards/nvml.hpp"
#include "harness/implementations/devices/tests/fake_runtime.hpp"

using namespace harness::nvml;  // NOLINT(google-build-using-namespace): its names are what is faked
using harness::testing::fake_state;

namespace {

constexpr Code invalid_argument = 2;
constexpr Code not_supported = 3;

long setting(const char* name, int otherwise) {
  const auto& settings = fake_state().settings;
  const auto found = settings.find(name);
  return found == settings.end() ? otherwise : found->second;
}

Code put(const char* from, char* to, unsigned bytes) {
  if (std::strlen(from) >= bytes) return invalid_argument;
  std::strcpy(to, from);
  return success;
}

// The GPU, and its instance.
int gpu;
int instance;
Device handle(int& of) { return reinterpret_cast<Device>(&of); }

}  // namespace

extern "C" {

Code nvmlInit_v2() {
  if (const Code code = fake_state().enter("nvmlInit_v2")) return code;
  if (const char* tally = std::getenv("FAKE_NVML_TALLY")) {
    std::ofstream(tally, std::ios::app) << '.';
  }
  return success;
}

const char* nvmlErrorString(Code code) {
  return code == not_supported ? "Not Supported" : "Insufficient Permissions";
}

Code nvmlSystemGetDriverVersion(char* text, unsigned bytes) {
  if (const Code code = fake_state().enter("nvmlSystemGetDriverVersion")) return code;
  return put("601.22.03", text, bytes);
}

Code nvmlDeviceGetHandleByPciBusId_v2(const char* pci, Device* device) {
  if (const Code code = fake_state().enter("nvmlDeviceGetHandleByPciBusId_v2")) return code;
  if (std::strncmp(pci, "0000:", 5) != 0) return invalid_argument;
  *device = handle(gpu);
  return success;
}

Code nvmlDeviceGetHandleByUUID(const char* uuid, Device* device) {
  if (const Code code = fake_state().enter("nvmlDeviceGetHandleByUUID")) return code;
  if (std::strcmp(uuid, "MIG-0011") != 0) return invalid_argument;
  *device = handle(instance);
  return success;
}

Code nvmlDeviceGetName(Device device, char* text, unsigned bytes) {
  if (const Code code = fake_state().enter("nvmlDeviceGetName")) return code;
  return put(device == handle(instance) ? "Fake GPU MIG 1g.18gb" : "Fake GPU", text, bytes);
}

Code nvmlDeviceGetVbiosVersion(Device, char* text, unsigned bytes) {
  if (const Code code = fake_state().enter("nvmlDeviceGetVbiosVersion")) return code;
  return put("96.00.A5.00.01", text, bytes);
}

Code nvmlDeviceGetClockInfo(Device, int clock, unsigned* mhz) {
  if (const Code code = fake_state().enter("nvmlDeviceGetClockInfo")) return code;
  *mhz = clock == clock_sm ? 1755 : 2619;
  return success;
}

Code nvmlDeviceGetMaxClockInfo(Device, int clock, unsigned* mhz) {
  if (const Code code = fake_state().enter("nvmlDeviceGetMaxClockInfo")) return code;
  *mhz = clock == clock_sm ? 1980 : 2619;
  return success;
}

// Under the name that it had before driver 535.
Code nvmlDeviceGetCurrentClocksThrottleReasons(Device, unsigned long long* bits) {
  if (const Code code = fake_state().enter("nvmlDeviceGetCurrentClocksThrottleReasons")) {
    return code;
  }
  *bits = static_cast<unsigned long long>(setting("throttle", 0));
  return success;
}

Code nvmlDeviceGetEnforcedPowerLimit(Device, unsigned* milliwatts) {
  if (const Code code = fake_state().enter("nvmlDeviceGetEnforcedPowerLimit")) return code;
  *milliwatts = 699'500;
  return success;
}

Code nvmlDeviceGetTemperature(Device, int, unsigned* celsius) {
  if (const Code code = fake_state().enter("nvmlDeviceGetTemperature")) return code;
  *celsius = 41;
  return success;
}

Code nvmlDeviceGetComputeMode(Device, int* mode) {
  if (const Code code = fake_state().enter("nvmlDeviceGetComputeMode")) return code;
  *mode = static_cast<int>(setting("compute_mode", 0));
  return success;
}

Code nvmlDeviceGetMigMode(Device, unsigned* current, unsigned* pending) {
  if (const Code code = fake_state().enter("nvmlDeviceGetMigMode")) return code;
  *current = *pending = static_cast<unsigned>(setting("mig", 0));
  return success;
}

Code nvmlDeviceGetEccMode(Device, int* current, int* pending) {
  if (const Code code = fake_state().enter("nvmlDeviceGetEccMode")) return code;
  *current = *pending = 1;
  return success;
}

Code nvmlDeviceGetTotalEccErrors(Device, int error, int counter, unsigned long long* count) {
  if (const Code code = fake_state().enter("nvmlDeviceGetTotalEccErrors")) return code;
  if (counter != counter_volatile) return invalid_argument;
  if (error == error_uncorrected) {
    *count = static_cast<unsigned long long>(setting("uncorrected", 0));
    return success;
  }
  const char* const tally = std::getenv("FAKE_NVML_TALLY");
  *count = tally != nullptr ? std::filesystem::file_size(tally)
                            : static_cast<unsigned long long>(setting("corrected", 0));
  return success;
}

}  // extern "C"
