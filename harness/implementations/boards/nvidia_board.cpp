#include "harness/implementations/boards/nvidia_board.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "harness/implementations/boards/absent.hpp"

namespace harness {
namespace {

using Json = nlohmann::ordered_json;

// nvmlClocksEventReason...: why clocks are below what was asked for.
constexpr std::array<std::pair<unsigned long long, std::string_view>, 9> throttle_reasons{
    {{0x001, "gpu_idle"},
     {0x002, "applications_clocks_setting"},
     {0x004, "sw_power_cap"},
     {0x008, "hw_slowdown"},
     {0x010, "sync_boost"},
     {0x020, "sw_thermal_slowdown"},
     {0x040, "hw_thermal_slowdown"},
     {0x080, "hw_power_brake_slowdown"},
     {0x100, "display_clock_setting"}}};

constexpr std::array<std::string_view, 4> compute_modes{"default", "exclusive_thread", "prohibited",
                                                        "exclusive_process"};

class NvidiaBoard {
 public:
  NvidiaBoard(const nvml::Library& library, nvml::Device device, std::string uuid)
      : l_(library), device_(device), uuid_(std::move(uuid)) {}

  Json vbios() const {
    return text("nvmlDeviceGetVbiosVersion", l_.nvmlDeviceGetVbiosVersion, device_);
  }

  Json clocks() const {
    const auto clock = [this](const char* name, auto function, int which) {
      unsigned mhz = 0;
      const std::string absent = ask(name, function, device_, which, &mhz);
      return absent.empty() ? Json(mhz) : Json(absent);
    };
    return {
        {"sm", clock("nvmlDeviceGetClockInfo", l_.nvmlDeviceGetClockInfo, nvml::clock_sm)},
        {"memory", clock("nvmlDeviceGetClockInfo", l_.nvmlDeviceGetClockInfo, nvml::clock_memory)},
        {"max_sm",
         clock("nvmlDeviceGetMaxClockInfo", l_.nvmlDeviceGetMaxClockInfo, nvml::clock_sm)},
        {"max_memory",
         clock("nvmlDeviceGetMaxClockInfo", l_.nvmlDeviceGetMaxClockInfo, nvml::clock_memory)}};
  }

  Json throttled_by() const {
    unsigned long long bits = 0;
    const std::string absent = ask("nvmlDeviceGetCurrentClocksThrottleReasons",
                                   l_.nvmlDeviceGetCurrentClocksThrottleReasons, device_, &bits);
    if (!absent.empty()) return absent;
    Json names = Json::array();
    for (const auto& [bit, name] : throttle_reasons) {
      if ((bits & bit) != 0) names.push_back(name);
      bits &= ~bit;
    }
    if (bits != 0) names.push_back(fmt::format("{:#x}", bits));
    return names;
  }

  Json power_limit() const {
    unsigned milliwatts = 0;
    const std::string absent = ask("nvmlDeviceGetEnforcedPowerLimit",
                                   l_.nvmlDeviceGetEnforcedPowerLimit, device_, &milliwatts);
    return absent.empty() ? Json(milliwatts / 1000.0) : Json(absent);
  }

  Json temperature() const {
    unsigned celsius = 0;
    const std::string absent = ask("nvmlDeviceGetTemperature", l_.nvmlDeviceGetTemperature, device_,
                                   nvml::sensor_gpu, &celsius);
    return absent.empty() ? Json(celsius) : Json(absent);
  }

  Json compute_mode() const {
    int mode = 0;
    const std::string absent =
        ask("nvmlDeviceGetComputeMode", l_.nvmlDeviceGetComputeMode, device_, &mode);
    if (!absent.empty()) return absent;
    const auto index = static_cast<std::size_t>(mode);
    return mode >= 0 && index < compute_modes.size() ? Json(compute_modes[index])
                                                     : Json(fmt::format("mode {}", mode));
  }

  // An instance is told from its GPU by its UUID; its name ends with its profile.
  Json mig() const {
    unsigned current = 0;
    unsigned pending = 0;
    const std::string absent =
        ask("nvmlDeviceGetMigMode", l_.nvmlDeviceGetMigMode, device_, &current, &pending);
    if (!absent.empty()) return {{"mode", absent}, {"instance", nullptr}, {"profile", nullptr}};
    if (current != nvml::mig_enabled) {
      return {{"mode", "disabled"}, {"instance", nullptr}, {"profile", nullptr}};
    }
    const std::string instance = "MIG-" + uuid_.substr(uuid_.find('-') + 1);
    nvml::Device handle = nullptr;
    const std::string unknown = ask("nvmlDeviceGetHandleByUUID of " + instance,
                                    l_.nvmlDeviceGetHandleByUUID, instance.c_str(), &handle);
    if (!unknown.empty()) return {{"mode", "enabled"}, {"instance", unknown}, {"profile", unknown}};
    const Json name = text("nvmlDeviceGetName", l_.nvmlDeviceGetName, handle);
    const std::string words = name.get<std::string>();
    const std::size_t at = words.find("MIG ");
    return {{"mode", "enabled"},
            {"instance", instance},
            {"profile", at == std::string::npos ? words : words.substr(at + 4)}};
  }

  Json ecc() const {
    int current = 0;
    int pending = 0;
    const std::string absent =
        ask("nvmlDeviceGetEccMode", l_.nvmlDeviceGetEccMode, device_, &current, &pending);
    Json mode = absent.empty() ? Json(current != 0 ? "enabled" : "disabled") : Json(absent);
    return {{"mode", std::move(mode)},
            {"corrected", errors(nvml::error_corrected)},
            {"uncorrected", errors(nvml::error_uncorrected)}};
  }

 private:
  // Since the driver was loaded.
  Json errors(int which) const {
    unsigned long long count = 0;
    const std::string absent = ask("nvmlDeviceGetTotalEccErrors", l_.nvmlDeviceGetTotalEccErrors,
                                   device_, which, nvml::counter_volatile, &count);
    return absent.empty() ? Json(count) : Json(absent);
  }

  // Why there is no answer; empty where there is one.
  template <class Function, class... Arguments>
  std::string ask(const std::string& name, Function function, Arguments... arguments) const {
    if (function == nullptr) return not_available("NVML has no " + name);
    const nvml::Code code = function(arguments...);
    return code == nvml::success ? "" : not_available(name + ": " + l_.error_text(code));
  }

  template <class Function>
  Json text(const char* name, Function function, nvml::Device device) const {
    std::array<char, nvml::name_bytes> bytes{};
    const std::string absent =
        ask(name, function, device, bytes.data(), static_cast<unsigned>(bytes.size()));
    bytes.back() = '\0';
    return absent.empty() ? Json(bytes.data()) : Json(absent);
  }

  const nvml::Library& l_;
  nvml::Device device_;
  std::string uuid_;
};

Json without(const std::string& why) {
  const std::string absent = not_available(why);
  return {{"vbios", absent},
          {"clocks_mhz", absent},
          {"throttle_reasons", absent},
          {"power_limit_watts", absent},
          {"temperature_celsius", absent},
          {"compute_mode", absent},
          {"mig", {{"mode", absent}, {"instance", nullptr}, {"profile", nullptr}}},
          {"partition", nullptr},
          {"ecc", {{"mode", absent}, {"corrected", absent}, {"uncorrected", absent}}}};
}

}  // namespace

nlohmann::ordered_json nvidia_board(const Result<nvml::Library>& library, const std::string& pci,
                                    const std::string& uuid) {
  if (!library) return without(library.error().message);
  if (library->nvmlDeviceGetHandleByPciBusId == nullptr) {
    return without("NVML has no nvmlDeviceGetHandleByPciBusId_v2");
  }
  nvml::Device device = nullptr;
  const nvml::Code code = library->nvmlDeviceGetHandleByPciBusId(pci.c_str(), &device);
  if (code != nvml::success) {
    return without(
        fmt::format("nvmlDeviceGetHandleByPciBusId_v2 of {}: {}", pci, library->error_text(code)));
  }
  const NvidiaBoard board(*library, device, uuid);
  return {{"vbios", board.vbios()},
          {"clocks_mhz", board.clocks()},
          {"throttle_reasons", board.throttled_by()},
          {"power_limit_watts", board.power_limit()},
          {"temperature_celsius", board.temperature()},
          {"compute_mode", board.compute_mode()},
          {"mig", board.mig()},
          {"partition", nullptr},
          {"ecc", board.ecc()}};
}

}  // namespace harness
