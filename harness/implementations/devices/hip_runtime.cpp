#include "harness/implementations/devices/hip_runtime.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "harness/implementations/devices/runtime_folders.hpp"

namespace harness::hip {

bool is_sticky(Code code) {
  switch (code) {
    case 4:    // Deinitialized
    case 214:  // ECCNotCorrectable
    case 700:  // IllegalAddress
    case 702:  // LaunchTimeOut
    case 709:  // ContextIsDestroyed
    case 710:  // Assert
    case 719:  // LaunchFailure
    case 999:  // Unknown
      return true;
    default:
      return false;
  }
}

std::string Runtime::error_name(Code code) const {
  const char* name = hipGetErrorName(code);
  return name != nullptr ? name : fmt::format("HIP error {}", code);
}

Result<Runtime> load_runtime() {
  static constexpr std::array<const char*, 4> names{"libamdhip64.so.7", "libamdhip64.so.6",
                                                    "libamdhip64.so.5", "libamdhip64.so"};
  Result<RuntimeLibrary> opened = RuntimeLibrary::open(hip_library_variable, names, rocm_folders());
  if (!opened) return tl::make_unexpected(opened.error());
  // Never closed: the runtime keeps threads of its own.
  const auto& library = *new RuntimeLibrary(std::move(*opened));
  Runtime runtime{};
  const Status resolved = for_each_function(
      runtime, [&](const char* symbol, auto& member) { return library.resolve(symbol, member); });
  if (!resolved) return tl::make_unexpected(resolved.error());
  runtime.properties = library.has(layout_6.function) ? layout_6 : layout_5;
  if (const Status found = library.resolve(runtime.properties.function, runtime.get_properties);
      !found) {
    return tl::make_unexpected(found.error());
  }
  runtime.file_name = library.file_name(reinterpret_cast<const void*>(runtime.hipInit));
  const auto failed = [&](const char* call, Code code) {
    return oracle::fail(
        ErrorCode::device_absent,
        fmt::format("{}: {}: {}{}", runtime.file_name, call, runtime.error_name(code),
                    code == error_no_device || code == error_invalid_device ? " (no GPU)" : ""));
  };
  if (const Code code = runtime.hipInit(0); code != success) return failed("hipInit", code);
  int version = 0;
  if (const Code code = runtime.hipDriverGetVersion(&version); code != success) {
    return failed("hipDriverGetVersion", code);
  }
  runtime.version =
      fmt::format("{}.{}.{}", version / 10'000'000, version / 100'000 % 100, version % 100'000);
  return runtime;
}

}  // namespace harness::hip
