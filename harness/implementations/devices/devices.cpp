// Which devices there are, and opening one by its name.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "harness/implementations/devices/cpu.hpp"
#include "harness/implementations/devices/cuda.hpp"
#include "harness/implementations/devices/device.hpp"
#include "harness/implementations/devices/hip.hpp"
#include "harness/implementations/devices/ptx_device.hpp"

namespace harness {
namespace {

// N of "cuda:N".
std::optional<unsigned> ordinal_of(std::string_view name, std::string_view kind) {
  if (!name.starts_with(kind) || name.size() <= kind.size() || name[kind.size()] != ':') return {};
  const std::string_view digits = name.substr(kind.size() + 1);
  unsigned ordinal = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), ordinal);
  if (error != std::errc{} || end != digits.data() + digits.size()) return {};
  return ordinal;
}

}  // namespace

DeviceSurvey survey_devices() {
  DeviceSurvey survey;
  survey.present.push_back(cpu_info());
  const auto add = [&](const char* kind, Result<std::vector<DeviceInfo>> found) {
    if (!found) {
      survey.absent.push_back({kind, found.error().message});
      return;
    }
    std::move(found->begin(), found->end(), std::back_inserter(survey.present));
  };
  add("cuda", cuda_infos());
  add("hip", hip_infos());
  survey.present.push_back(ptx_info());
  return survey;
}

Result<std::unique_ptr<Device>> open_device(std::string_view name) {
  if (name == "cpu") return open_cpu();
  if (name == "ptx") return open_ptx();
  if (const auto ordinal = ordinal_of(name, "cuda"); ordinal) return open_cuda(*ordinal);
  if (const auto ordinal = ordinal_of(name, "hip"); ordinal) return open_hip(*ordinal);
  return oracle::fail(ErrorCode::unknown_name,
                      fmt::format("device '{}': expected cpu, cuda:N, hip:N or ptx", name));
}

}  // namespace harness
