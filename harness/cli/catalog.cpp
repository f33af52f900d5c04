#include "harness/cli/catalog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <regex>

#include "harness/cli/duts.hpp"
#include "harness/cli/interruption.hpp"
#include "harness/files/strict_json.hpp"
#include "harness/model/device_place.hpp"
#include "harness/results/verdict/plan.hpp"
#include "harness/run/run.hpp"
#include "harness/suite/profiles/profiles.hpp"

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
  for (const nlohmann::json& item : reader.value("gpus")) {
    JsonObject gpu(item, "survey");
    survey.gpus.push_back({gpu.text("kind"), gpu.text("what")});
    if (Result<void> status = gpu.done(); !status) return tl::make_unexpected(status.error());
  }
  if (Result<void> status = reader.done(); !status) return tl::make_unexpected(status.error());
  return survey;
}

void add_implementations(Catalog& catalog, const std::shared_ptr<RemoteSource>& source) {
  for (std::size_t i = 0; i < source->infos().size(); ++i) {
    catalog.implementations.push_back(std::make_unique<RemoteImplementation>(source, i));
  }
}

// Why a device that the survey does not list is not there.
std::string why_absent(const std::string& device, const Survey& survey) {
  for (const Survey::Absent& absent : survey.absent) {
    if (absent.kind == device_kind(device)) return absent.reason;
  }
  std::vector<std::string> names;
  for (const DeviceInfo& each : survey.present) names.push_back(each.name);
  return fmt::format("no such device; this machine has: {}", fmt::join(names, ", "));
}

class CatalogOpening {
 public:
  CatalogOpening(const Survey& survey, const Selection& selection, const WorkerOptions& options)
      : survey_(survey),
        selection_(selection),
        options_(options),
        all_(selection.devices.empty() || contains(selection.devices, every_device)) {}

  Result<Catalog> open() {
    const std::vector<UnderTest> under_test = all_under_test(selection_);
    if (under_test.empty()) open_builtin();
    for (const UnderTest& each : under_test) open_under_test(each);
    if (Status status = check_distinct(); !status) return tl::make_unexpected(status.error());
    say_absent_devices(under_test.empty());
    return std::move(catalog_);
  }

 private:
  bool selected(const DeviceInfo& device) const {
    return selects_device(selection_.devices, device.name);
  }

  void open_builtin() {
    for (const DeviceInfo& device : survey_.present) {
      // The CPU's table names every path of the build, so that a name can be checked anywhere.
      if (!selected(device) && device.name != "cpu") continue;
      const auto source =
          RemoteSource::open({{"kind", "builtin"}, {"device", device.name}}, options_);
      if (!source) {
        if (selected(device)) not_run("", device.name, source.error().message);
        continue;
      }
      for (const ImplementationInfo& info : (*source)->infos()) catalog_.paths.insert(info.path);
      if (!selected(device)) continue;
      catalog_.devices.push_back(device);
      add_implementations(catalog_, *source);
    }
  }

  // On every selected device of a kind that it runs on. One that does not come to run on any is
  // recorded, and the run is never complete without it.
  void open_under_test(const UnderTest& under_test) {
    const Result<Introduction> introduction = introduce(under_test, options_);
    if (!introduction) {
      return not_run(under_test.origin, "", "could not be opened: " + introduction.error().message);
    }
    catalog_.paths.insert(introduction->name);
    const std::string unknown = unknown_profile(*introduction);
    if (!unknown.empty()) return not_run(introduction->name, "", unknown);
    wanted_kinds_.insert(introduction->device_kinds.begin(), introduction->device_kinds.end());
    bool tried = false;
    for (const DeviceInfo& device : survey_.present) {
      if (!selected(device) ||
          !introduction->device_kinds.contains(std::string(device_kind(device.name))))
        continue;
      tried = true;
      const auto source =
          RemoteSource::open(spec_of(under_test, device.name), options_for(under_test, options_));
      if (!source) {
        not_run(introduction->name, device.name, "could not be opened: " + source.error().message);
        continue;
      }
      add_device(device);
      add_implementations(catalog_, *source);
    }
    if (tried) return;
    not_run(introduction->name, "",
            fmt::format("runs on {}, and no device of that kind is selected and here{}",
                        fmt::join(introduction->device_kinds, ", "),
                        introduction->device_kinds.contains(std::string(interpreter))
                            ? fmt::format("; --device {} executes it without a GPU", interpreter)
                            : ""));
  }

  // An unknown profile would be an error of each case; it is one of the whole.
  std::string unknown_profile(const Introduction& introduction) const {
    if (!selection_.profile.empty()) return {};
    const auto profile = profile_named(introduction.profile);
    return profile ? "" : "its declared profile: " + profile.error().message;
  }

  void add_device(const DeviceInfo& device) {
    const auto same = [&](const DeviceInfo& each) { return each.name == device.name; };
    if (std::none_of(catalog_.devices.begin(), catalog_.devices.end(), same)) {
      catalog_.devices.push_back(device);
    }
  }

  void not_run(const std::string& path, const std::string& device, const std::string& reason) {
    catalog_.not_run.push_back({"", path, device, reason, true});
  }

  Status check_distinct() const {
    std::map<std::string, std::string> origins;
    for (const auto& each : catalog_.implementations) {
      const ImplementationInfo& info = each->info();
      const auto [first, is_new] = origins.try_emplace(info.key(), info.origin);
      if (is_new) continue;
      return oracle::fail(
          ErrorCode::invalid_argument,
          fmt::format("{} and {} are both named '{}'; expected another name, or a run for each",
                      first->second, info.origin, info.path));
    }
    return {};
  }

  void say_absent_devices(bool every_kind) {
    for (const std::string& name : selection_.devices) {
      const bool present =
          std::any_of(survey_.present.begin(), survey_.present.end(),
                      [&](const DeviceInfo& each) { return selects_device({name}, each.name); });
      if (name != every_device && !present) not_run("", name, why_absent(name, survey_));
    }
    for (const Survey::Absent& absent : survey_.absent) {
      if (!all_ || (!every_kind && !wanted_kinds_.contains(absent.kind))) continue;
      catalog_.not_run.push_back({"", "", absent.kind, absent.reason, false});
      std::copy_if(survey_.gpus.begin(), survey_.gpus.end(), std::back_inserter(catalog_.idle_gpus),
                   [&](const IdleGpu& gpu) { return gpu.kind == absent.kind; });
    }
  }

  const Survey& survey_;
  const Selection& selection_;
  const WorkerOptions& options_;
  bool all_;
  Catalog catalog_;
  std::set<std::string> wanted_kinds_;  // of device, that something under test runs on
};

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
  if (!source && source.error().code == ErrorCode::out_of_memory) {
    Survey none;
    none.no_worker = source.error().message;
    return none;
  }
  if (!source) return failed(source.error().message);
  Result<Survey> survey = read_survey((*source)->facts());
  return survey ? std::move(*survey) : failed(survey.error().message);
}

Status check_device_names(const std::vector<std::string>& names, const Survey& survey) {
  static const std::regex form("all|cpu|ptx|(cuda|hip)(:[0-9]+)?");
  for (const std::string& name : names) {
    if (std::regex_match(name, form)) continue;
    std::vector<std::string> present;
    for (const DeviceInfo& device : survey.present) present.push_back(device.name);
    return oracle::fail(
        ErrorCode::unknown_name,
        fmt::format("no device is named '{}'; expected all, cpu, cuda, hip, cuda:N, "
                    "hip:N or ptx, and this machine has: {}",
                    name, fmt::join(present, ", ")));
  }
  return {};
}

Result<Catalog> open_catalog(const Survey& survey, const Selection& selection,
                             const WorkerOptions& options) {
  return CatalogOpening(survey, selection, options).open();
}

WorkerOptions worker_options(const WorkerLimits& limits) {
  WorkerOptions options;
  options.call_timeout_seconds = limits.timeout_seconds;
  options.memory_limit_bytes = limits.memory_limit_bytes;
  options.interrupted = &interruption();
  return options;
}

Result<Machine> open_machine(const Suite& suite, const Selection& selection,
                             const WorkerOptions& options) {
  const auto failed = [](const Status& status) { return tl::make_unexpected(status.error()); };
  if (Status status = check_operations_named(selection); !status) return failed(status);
  if (Status status = check_under_test(selection); !status) return failed(status);
  Survey survey = survey_machine(options);
  if (!survey.no_worker.empty()) {
    return oracle::fail(ErrorCode::out_of_memory, survey.no_worker);
  }
  if (Status status = check_device_names(selection.devices, survey); !status) return failed(status);
  Result<Catalog> catalog = open_catalog(survey, selection, options);
  if (!catalog) return tl::make_unexpected(catalog.error());
  if (Status status = check_selection(suite.operations, catalog->paths, selection); !status) {
    return failed(status);
  }
  return Machine{std::move(survey), std::move(*catalog)};
}

}  // namespace harness::cli
