// Which devices there are, and opening one by its name.
#include <fmt/format.h>

#include "cpu.hpp"
#include "harness/device.hpp"

namespace harness {

DeviceSurvey survey_devices() {
  DeviceSurvey survey;
  survey.present.push_back(cpu_info());
  return survey;
}

Result<std::unique_ptr<Device>> open_device(std::string_view name) {
  if (name == "cpu") return open_cpu();
  return oracle::fail(ErrorCode::unknown_name,
                      fmt::format("device '{}': expected cpu, cuda:N or hip:N", name));
}

}  // namespace harness
