#include "harness/implementations/module/module_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/implementations/devices/device.hpp"
#include "harness/implementations/devices/guarded_buffers.hpp"
#include "harness/implementations/devices/guarded_execution.hpp"
#include "harness/implementations/module/module_file.hpp"
#include "harness/implementations/module/module_launch.hpp"
#include "harness/implementations/module/module_map.hpp"
#include "harness/results/records/results.hpp"

namespace harness {
namespace {

class ModuleImplementation final : public GuardedImplementation {
 public:
  ModuleImplementation(ImplementationInfo info, Device& device, const Operation& operation,
                       ModuleMap map, LoadedKernel kernel)
      : device_(device),
        operation_(operation),
        map_(std::move(map)),
        kernel_(std::move(kernel)),
        buffers_(device) {
    info_ = std::move(info);
  }

  std::uint64_t edge_granularity() const override { return buffers_.edge_granularity(); }

  Result<double> run(const Problem& problem, const CallMemory& memory) override {
    return execute_between_guards(
        {device_, buffers_, operation_, info_.path}, problem, memory,
        [&](std::span<const std::uint64_t> origins) {
          return bind_module(map_, operation_.signature(), problem, origins)
              .and_then([&](const ModuleLaunch& launch) {
                return device_.launch(kernel_, launch.shape, launch.parameters);
              });
        });
  }

 private:
  Device& device_;
  const Operation& operation_;
  ModuleMap map_;
  LoadedKernel kernel_;
  GuardedBuffers buffers_;
};

struct Module {
  ModuleMap map;
  ModuleFile file;
};

Result<Module> read_module(const std::filesystem::path& path) {
  Result<ModuleMap> map = read_module_map(path);
  if (!map) return tl::make_unexpected(map.error());
  Result<ModuleFile> file = read_module_file(map->module);
  if (!file) {
    return oracle::fail(file.error().code,
                        fmt::format("{}: \"module\": {}", path.string(), file.error().message));
  }
  return Module{std::move(*map), std::move(*file)};
}

Result<const Operation*> find_operation(const ModuleMap& map,
                                        std::span<const Operation* const> operations) {
  if (const Operation* found = operation_named(operations, map.operation); found != nullptr) {
    return found;
  }
  std::vector<std::string_view> names;
  for (const Operation* operation : operations) names.push_back(operation->name());
  return oracle::fail(ErrorCode::unknown_name,
                      fmt::format("\"operation\": no operation is named '{}'; there are: {}",
                                  map.operation, fmt::join(names, ", ")));
}

Result<OpenedSource> open_on(const std::string& device_name, const std::string& origin,
                             Module module, const Operation& operation) {
  Result<std::unique_ptr<Device>> opened = open_device(device_name);
  if (!opened) return tl::make_unexpected(opened.error());
  const std::shared_ptr<Device> device = std::move(*opened);
  Result<LoadedKernel> kernel =
      device->load_kernel(module.file.image, module.file.name, module.map.entry);
  if (!kernel) return tl::make_unexpected(kernel.error());
  ImplementationInfo info;
  info.operation = module.map.operation;
  info.path = module.map.name;
  info.device = device_name;
  info.origin = origin;
  info.profile = module.map.profile;
  info.module_sha256 = module.file.sha256;
  info.execution = device->machinery();
  OpenedSource source;
  source.keeps_alive = device;
  source.facts = to_json(device->info());
  source.implementations.push_back(std::make_unique<ModuleImplementation>(
      std::move(info), *device, operation, std::move(module.map), std::move(*kernel)));
  return source;
}

}  // namespace

Status check_module(const std::filesystem::path& map) {
  return read_module(map).map([](const Module&) {});
}

std::function<Result<OpenedSource>(const nlohmann::json& spec)> module_kind(
    std::span<const Operation* const> operations) {
  return [operations](const nlohmann::json& spec) -> Result<OpenedSource> {
    const auto origin = spec.at("origin").get<std::string>();
    Result<Module> module = read_module(origin);
    if (!module) return tl::make_unexpected(module.error());
    const auto in_map = [&](const Error& error) {
      return oracle::fail(error.code, fmt::format("{}: {}", origin, error.message));
    };
    const Result<const Operation*> operation = find_operation(module->map, operations);
    if (!operation) return in_map(operation.error());
    if (Status status = check_module_map(module->map, **operation); !status) {
      return in_map(status.error());
    }
    if (spec.contains("device")) {
      return open_on(spec.at("device").get<std::string>(), origin, std::move(*module), **operation);
    }
    OpenedSource source;
    source.facts = {{"name", module->map.name},
                    {"profile", module->map.profile},
                    {"device_kinds", module->file.device_kinds}};
    return source;
  };
}

}  // namespace harness
