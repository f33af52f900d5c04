// The suite as it is shipped: its operations, and its kernels on the devices of this machine.
#include "harness/cli/suite.hpp"

#include <utility>

#include "harness/cli/bench_command.hpp"
#include "harness/implementations/boards/board.hpp"
#include "harness/implementations/devices/device.hpp"
#include "harness/implementations/devices/seen_gpus.hpp"
#include "harness/implementations/kernel/kernel_implementation.hpp"
#include "harness/implementations/module/module_source.hpp"
#include "harness/implementations/plugin/library_source.hpp"
#include "harness/implementations/program/program_source.hpp"
#include "harness/results/records/results.hpp"

namespace harness::cli {
namespace {

Result<OpenedSource> open_survey(const nlohmann::json& /*spec*/) {
  const DeviceSurvey survey = survey_devices();
  nlohmann::ordered_json present = nlohmann::ordered_json::array();
  for (const DeviceInfo& device : survey.present) present.push_back(to_json(device));
  nlohmann::ordered_json absent = nlohmann::ordered_json::array();
  for (const DeviceSurvey::Absent& each : survey.absent) {
    absent.push_back({{"kind", each.kind}, {"reason", each.reason}});
  }
  OpenedSource source;
  nlohmann::ordered_json gpus = nlohmann::ordered_json::array();
  for (const SeenGpu& gpu : seen_gpus("/"))
    gpus.push_back({{"kind", gpu.kind}, {"what", gpu.what}});
  source.facts = {
      {"present", std::move(present)}, {"absent", std::move(absent)}, {"gpus", std::move(gpus)}};
  return source;
}

Result<OpenedSource> open_kernels(const nlohmann::json& spec, const KernelSet& set) {
  Result<std::unique_ptr<Device>> opened = open_device(spec.at("device").get<std::string>());
  if (!opened) return tl::make_unexpected(opened.error());
  const std::shared_ptr<Device> device = std::move(*opened);
  auto implementations = builtin_implementations(*device, all_operations(), set);
  if (!implementations) return tl::make_unexpected(implementations.error());
  return OpenedSource{device, std::move(*implementations), to_json(device->info())};
}

Result<OpenedSource> open_builtin(const nlohmann::json& spec) {
  return open_kernels(spec, {kernels::shipped_entries(), kernels::shipped_images()});
}

Result<OpenedSource> open_faulty(const nlohmann::json& spec) {
  return open_kernels(spec, {kernels::faulty_entries(), kernels::faulty_images()});
}

}  // namespace

Suite shipped_suite() {
  return {all_operations(),
          {{"survey", open_survey},
           {"boards", open_boards},
           {"builtin", open_builtin},
           {"faulty", open_faulty},
           {"library", open_library},
           {"program", program_kind(all_operations())},
           {"module", module_kind(all_operations())}},
          kernels::shipped_images(),
          known_kernels(all_operations(), kernels::shipped_entries()),
          {add_bench_command}};
}

}  // namespace harness::cli
