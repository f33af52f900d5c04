#include "harness/implementations/boards/nvml.hpp"

#include <fmt/format.h>

#include <array>
#include <initializer_list>
#include <utility>

#include "harness/implementations/devices/runtime_folders.hpp"

namespace harness::nvml {
namespace {

// The first of the names that the library has.
template <class Function>
void find(const RuntimeLibrary& from, Function*& member, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (from.resolve(name, member)) return;
  }
}

}  // namespace

Result<Library> load_library() {
  static constexpr std::array<const char*, 1> names{"libnvidia-ml.so.1"};
  Result<RuntimeLibrary> opened =
      RuntimeLibrary::open("FP4CTS_NVML_LIBRARY", names, cuda_folders());
  if (!opened) return tl::make_unexpected(opened.error());
  const auto& from = *new RuntimeLibrary(std::move(*opened));  // as the driver's, never closed
  Library l{};
  find(from, l.nvmlInit, {"nvmlInit_v2"});
  find(from, l.nvmlErrorString, {"nvmlErrorString"});
  find(from, l.nvmlSystemGetDriverVersion, {"nvmlSystemGetDriverVersion"});
  find(from, l.nvmlDeviceGetHandleByPciBusId, {"nvmlDeviceGetHandleByPciBusId_v2"});
  find(from, l.nvmlDeviceGetHandleByUUID, {"nvmlDeviceGetHandleByUUID"});
  find(from, l.nvmlDeviceGetName, {"nvmlDeviceGetName"});
  find(from, l.nvmlDeviceGetVbiosVersion, {"nvmlDeviceGetVbiosVersion"});
  find(from, l.nvmlDeviceGetClockInfo, {"nvmlDeviceGetClockInfo"});
  find(from, l.nvmlDeviceGetMaxClockInfo, {"nvmlDeviceGetMaxClockInfo"});
  // Renamed with driver 535.
  find(from, l.nvmlDeviceGetCurrentClocksThrottleReasons,
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  find(from, l.nvmlDeviceGetEnforcedPowerLimit, {"nvmlDeviceGetEnforcedPowerLimit"});
  find(from, l.nvmlDeviceGetTemperature, {"nvmlDeviceGetTemperature"});
  find(from, l.nvmlDeviceGetComputeMode, {"nvmlDeviceGetComputeMode"});
  find(from, l.nvmlDeviceGetMigMode, {"nvmlDeviceGetMigMode"});
  find(from, l.nvmlDeviceGetEccMode, {"nvmlDeviceGetEccMode"});
  find(from, l.nvmlDeviceGetTotalEccErrors, {"nvmlDeviceGetTotalEccErrors"});
  if (l.nvmlInit == nullptr || l.nvmlErrorString == nullptr) {
    return oracle::fail(ErrorCode::device_absent,
                        "the library of FP4CTS_NVML_LIBRARY or libnvidia-ml.so.1 is not NVML: it "
                        "lacks nvmlInit_v2 or nvmlErrorString");
  }
  if (const Code code = l.nvmlInit(); code != success) {
    return oracle::fail(ErrorCode::device_absent, "nvmlInit_v2: " + l.error_text(code));
  }
  return l;
}

std::string Library::error_text(Code code) const {
  const char* const text = nvmlErrorString(code);
  return text != nullptr ? std::string(text) : fmt::format("NVML error {}", code);
}

const Result<Library>& library() {
  static const Result<Library> loaded = load_library();
  return loaded;
}

}  // namespace harness::nvml
