// Which devices there are, and opening one by its name.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "harness/implementations/devices/cpu.hpp"
#include "harness/implementations/devices/cuda.hpp"
#include "harness/implementations/devices/device.hpp"
#include "harness/implementations/devices/hip.hpp"
#include "harness/implementations/devices/ptx_device.hpp"
#include "harness/model/device_place.hpp"

namespace harness {
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
  const std::optional<DevicePlace> place = device_place(name);
  const bool numbered = place && name.size() > place->kind.size();
  if (name == "cpu") return open_cpu();
  if (name == "ptx") return open_ptx();
  if (numbered && place->kind == "cuda") return open_cuda(place->ordinal);
  if (numbered && place->kind == "hip") return open_hip(place->ordinal);
  return oracle::fail(ErrorCode::unknown_name,
                      fmt::format("device '{}': expected cpu, cuda:N, hip:N or ptx", name));
}

}  // namespace harness
