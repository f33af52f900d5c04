#include "catalog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <regex>

#include "harness/strict_json.hpp"

namespace harness::cli {
namespace {

constexpr std::string_view every_device = "all";
constexpr std::array<std::string_view, 2> gpu_kinds{"cuda", "hip"};

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Result<Survey> read_survey(const nlohmann::json& facts) {
  JsonObject reader(facts, "survey");
  Survey survey;
  for (const nlohmann::json& item : reader.value("present")) {
    Result<DeviceInfo> device = device_info_from_json(item, "survey");
    if (!device) return tl::make_unexpected(device.error());
    survey.present.push_back(std::move(*device));
  }
  for (const nlohmann::json& item : reader.value("absent")) {
    JsonObject absent(item, "survey");
    survey.absent.push_back({absent.text("kind"), absent.text("reason")});
    if (Result<void> status = absent.done(); !status) return tl::make_unexpected(status.error());
  }
  if (Result<void> status = reader.done(); !status) return tl::make_unexpected(status.error());
  return survey;
}

std::string kind_of(const std::string& device) { return device.substr(0, device.find(':')); }

// Why a device that the survey does not list is not there.
std::string why_absent(const std::string& device, const Survey& survey) {
  for (const Survey::Absent& absent : survey.absent) {
    if (absent.kind == kind_of(device)) return absent.reason;
  }
  std::vector<std::string> names;
  for (const DeviceInfo& each : survey.present) names.push_back(each.name);
  return fmt::format("no such device; this machine has: {}", fmt::join(names, ", "));
}

}  // namespace

Survey survey_machine(const WorkerOptions& options) {
  const auto failed = [](const std::string& reason) {
    Survey survey;
    survey.present.resize(1);
    survey.present.front().name = "cpu";
    for (const std::string_view kind : gpu_kinds) {
      survey.absent.push_back({std::string(kind), "asking the runtimes for devices: " + reason});
    }
    return survey;
  };
  const auto source = RemoteSource::open({{"kind", "survey"}}, options);
  if (!source) return failed(source.error().message);
  Result<Survey> survey = read_survey((*source)->facts());
  return survey ? std::move(*survey) : failed(survey.error().message);
}

Status check_device_names(const std::vector<std::string>& names, const Survey& survey) {
  static const std::regex form("all|cpu|(cuda|hip):[0-9]+");
  for (const std::string& name : names) {
    if (std::regex_match(name, form)) continue;
    std::vector<std::string> present;
    for (const DeviceInfo& device : survey.present) present.push_back(device.name);
    return oracle::fail(ErrorCode::unknown_name,
                        fmt::format("no device is named '{}'; expected all, cpu, cuda:N or hip:N, "
                                    "and this machine has: {}",
                                    name, fmt::join(present, ", ")));
  }
  return {};
}

Catalog open_catalog(const Survey& survey, const std::vector<std::string>& names,
                     const WorkerOptions& options) {
  Catalog catalog;
  const bool all = names.empty() || contains(names, every_device);
  for (const DeviceInfo& device : survey.present) {
    const bool selected = all || contains(names, device.name);
    // The CPU's table names every path of the build, so that a name can be checked anywhere.
    if (!selected && device.name != "cpu") continue;
    const auto source = RemoteSource::open({{"kind", "builtin"}, {"device", device.name}}, options);
    if (!source) {
      if (selected) catalog.not_run.push_back({"", "", device.name, source.error().message, true});
      continue;
    }
    for (const ImplementationInfo& info : (*source)->infos()) catalog.paths.insert(info.path);
    if (!selected) continue;
    catalog.devices.push_back(device);
    for (std::size_t i = 0; i < (*source)->infos().size(); ++i) {
      catalog.implementations.push_back(std::make_unique<RemoteImplementation>(*source, i));
    }
  }
  for (const std::string& name : names) {
    const bool present = std::any_of(survey.present.begin(), survey.present.end(),
                                     [&](const DeviceInfo& each) { return each.name == name; });
    if (name != every_device && !present) {
      catalog.not_run.push_back({"", "", name, why_absent(name, survey), true});
    }
  }
  if (all) {
    for (const Survey::Absent& absent : survey.absent) {
      catalog.not_run.push_back({"", "", absent.kind, absent.reason, false});
    }
  }
  return catalog;
}

}  // namespace harness::cli
