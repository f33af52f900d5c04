#include "harness/implementations/plugin/library_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "harness/implementations/binding.hpp"
#include "harness/implementations/devices/device.hpp"
#include "harness/implementations/devices/guarded_execution.hpp"
#include "harness/implementations/plugin/plugin.hpp"
#include "harness/implementations/plugin/plugin_border.hpp"
#include "harness/implementations/plugin/plugin_entries.hpp"
#include "harness/model/device_place.hpp"

namespace harness {
namespace {

// What a plug-in wrote into its error buffer, in one line.
class ErrorText {
 public:
  char* data() { return buffer_.data(); }
  std::size_t size() const { return buffer_.size() - 1; }  // the last stays zero

  std::string text() const {
    std::string text(buffer_.data());
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return std::isprint(c) == 0; }, ' ');
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  }

 private:
  std::array<char, 1024> buffer_{};
};

struct Place {
  std::string device;  // "cuda:1"
  std::uint32_t kind = 0;
  std::int32_t ordinal = 0;
};

Place place_of(const std::string& device) {
  const DevicePlace named = device_place(device).value_or(DevicePlace{});
  Place place{device, FP4CTS_CPU, static_cast<std::int32_t>(named.ordinal)};
  if (named.kind == "cuda") place.kind = FP4CTS_CUDA;
  if (named.kind == "hip") place.kind = FP4CTS_HIP;
  return place;
}

fp4cts_call call_at(const Place& place, void* stream, ErrorText& error) {
  return {sizeof(fp4cts_call), place.device.c_str(), place.kind, place.ordinal, stream,
          error.data(),        error.size()};
}

// What all implementations of one plug-in on one device share.
struct OpenPlugin {
  Plugin plugin;
  Place place;
  std::unique_ptr<Device> device;
};

class PluginImplementation final : public GuardedImplementation {
 public:
  PluginImplementation(OpenPlugin& open, std::shared_ptr<GuardedBuffers> buffers,
                       const PluginEntry& entry, ImplementationInfo info)
      : open_(open),
        buffers_(std::move(buffers)),
        operation_(*operation_named(entry.operation)),
        entry_(entry) {
    info_ = std::move(info);
  }

  std::uint64_t edge_granularity() const override { return buffers_->edge_granularity(); }

  Result<double> run(const Problem& problem, const CallMemory& memory) override {
    return execute_between_guards({*open_.device, *buffers_, operation_, info_.path}, problem,
                                  memory, [&](std::span<const std::uint64_t> origins) {
                                    return open_.device->call([&](void* stream) {
                                      return call_entry(problem, origins, stream);
                                    });
                                  });
  }

 private:
  Status call_entry(const Problem& problem, std::span<const std::uint64_t> origins,
                    void* stream) const {
    ErrorText error;
    const fp4cts_call call = call_at(open_.place, stream, error);
    const auto arguments = bind_struct(operation_.signature(), problem, origins);
    if (!arguments) return tl::make_unexpected(arguments.error());
    const std::int32_t code = entry_.call(*open_.plugin.declaration, call, arguments->data());
    if (code == FP4CTS_OK) return {};
    const std::string said = error.text();
    return oracle::fail(ErrorCode::device_error,
                        fmt::format("the plug-in returned {}: {}", code,
                                    said.empty() ? "it gave no reason" : said));
  }

  OpenPlugin& open_;
  std::shared_ptr<GuardedBuffers> buffers_;
  const Operation& operation_;
  const PluginEntry& entry_;
};

// Why the plug-in says that it cannot run there; empty where it can.
Result<std::string> prepare(OpenPlugin& open) {
  std::string reason;
  if (open.plugin.declaration->prepare == nullptr) return reason;
  const Result<double> called = open.device->call([&](void* stream) -> Status {
    ErrorText error;
    const fp4cts_call call = call_at(open.place, stream, error);
    if (const char* said = border::prepare(*open.plugin.declaration, call); said != nullptr) {
      reason = *said == '\0' ? "its prepare refused and gave no reason" : said;
    }
    return {};
  });
  if (!called) return tl::make_unexpected(called.error());
  return reason;
}

Result<OpenedSource> implementations_of(Plugin plugin, const std::string& file,
                                        const std::string& device_name) {
  Result<std::unique_ptr<Device>> device = open_device(device_name);
  if (!device) return tl::make_unexpected(device.error());
  const auto open = std::make_shared<OpenPlugin>(
      OpenPlugin{std::move(plugin), place_of(device_name), std::move(*device)});
  const Result<std::string> refusal = prepare(*open);
  if (!refusal) return tl::make_unexpected(refusal.error());
  OpenedSource source;
  source.keeps_alive = open;
  source.facts = nlohmann::ordered_json::object();
  const auto buffers = std::make_shared<GuardedBuffers>(*open->device);
  for (const PluginEntry& entry : plugin_entries()) {
    ImplementationInfo info;
    info.operation = entry.operation;
    info.path = open->plugin.name;
    info.device = device_name;
    info.origin = file;
    info.profile = open->plugin.profile;
    info.toolkit = open->plugin.toolkit;
    info.unavailable =
        entry.declared(*open->plugin.declaration) ? *refusal : "the plug-in has no entry for it";
    source.implementations.push_back(
        std::make_unique<PluginImplementation>(*open, buffers, entry, std::move(info)));
  }
  return source;
}

}  // namespace

Result<OpenedSource> open_library(const nlohmann::json& spec) {
  const auto file = spec.at("origin").get<std::string>();
  Result<Plugin> plugin = load_plugin(file);
  if (!plugin) return tl::make_unexpected(plugin.error());
  if (spec.contains("device")) {
    return implementations_of(std::move(*plugin), file, spec.at("device").get<std::string>());
  }
  OpenedSource source;
  source.facts = {
      {"name", plugin->name}, {"profile", plugin->profile}, {"device_kinds", plugin->device_kinds}};
  return source;
}

}  // namespace harness
