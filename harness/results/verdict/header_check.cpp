#include "harness/results/verdict/header_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/files/sha256.hpp"
#include "harness/results/verdict/verdict.hpp"

namespace harness {
namespace {

bool names_it(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool says_not_run(const NotRunRecord& row, const KnownKernel& kernel, const std::string& device) {
  const auto is = [](const std::string& said, const std::string& name) {
    return said.empty() || said == name;
  };
  return is(row.operation, kernel.operation) && is(row.path, kernel.path) && row.device == device;
}

class HeaderCheck {
 public:
  HeaderCheck(const RunHeader& header, std::span<const NotRunRecord> not_run, const Plan& plan,
              const SuiteKnowledge& knowledge)
      : header_(header), not_run_(not_run), plan_(plan), knowledge_(knowledge) {}

  std::vector<std::string> faults() {
    plan();
    implementations();
    kernels();
    profiles();
    if (header_.suite_commit == knowledge_.commit &&
        header_.vectors_sha256 != knowledge_.vectors_sha256) {
      add("the header's vector manifest has sha256 {}, that of this build {}",
          header_.vectors_sha256, knowledge_.vectors_sha256);
    }
    return std::move(faults_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> form, Args&&... args) {
    faults_.push_back(fmt::format(form, std::forward<Args>(args)...));
  }

  void plan() {
    if (header_.plan_sha256 == plan_.sha256 && header_.plan_total == plan_.total &&
        header_.plan_planned == plan_.planned.size()) {
      return;
    }
    add("the header says that {} of {} cases were planned, plan sha256 {}; of its selection this "
        "build plans {} of {}, sha256 {}{}",
        header_.plan_planned, header_.plan_total, header_.plan_sha256, plan_.planned.size(),
        plan_.total, plan_.sha256,
        header_.suite_commit == knowledge_.commit
            ? ""
            : fmt::format(" (it was made by the suite's commit {}, and this is {}: that build can "
                          "judge it)",
                          header_.suite_commit, knowledge_.commit));
  }

  bool has_under_test() const {
    const Selection& selection = header_.selection;
    return !selection.libraries.empty() || !selection.programs.empty() ||
           !selection.modules.empty();
  }

  void implementations() {
    const Selection& selection = header_.selection;
    const bool under_test = has_under_test();
    for (std::size_t i = 0; i < header_.implementations.size(); ++i) {
      const ImplementationInfo& info = header_.implementations[i];
      const bool origin_named = under_test ? names_it(selection.libraries, info.origin) ||
                                                 names_it(selection.programs, info.origin) ||
                                                 names_it(selection.modules, info.origin)
                                           : is_kernel(info);
      const bool has_device =
          std::any_of(header_.devices.begin(), header_.devices.end(),
                      [&](const DeviceInfo& device) { return device.name == info.device; });
      if (!origin_named || !has_device || !info.unavailable.empty() ||
          !plan_.implementations.contains(i)) {
        add("{} ({}) is an implementation of the header, and not one that this selection plans",
            info.key(), info.origin);
      }
    }
    for (const DeviceInfo& device : header_.devices) {
      if (names_it(selection.devices, "all") || names_it(selection.devices, device.name)) continue;
      if (!selection.devices.empty()) add("{} is a device that was not selected", device.name);
    }
  }

  bool is_kernel(const ImplementationInfo& info) const {
    return knowledge_.kernels.empty() ||
           std::any_of(knowledge_.kernels.begin(), knowledge_.kernels.end(),
                       [&](const KnownKernel& kernel) {
                         return kernel.operation == info.operation && kernel.path == info.path;
                       });
  }

  // Each kernel of this build was planned on each device, or it is said why not.
  void kernels() {
    // Where rows are missing their number says so, and which they were cannot be known.
    if (has_under_test() || not_run_.size() < header_.not_run_rows) return;
    for (const DeviceInfo& device : header_.devices) {
      for (const KnownKernel& kernel : knowledge_.kernels) {
        if (!selected(header_.selection.operations, kernel.operation) ||
            !selected(header_.selection.paths, kernel.path)) {
          continue;
        }
        const std::string key = fmt::format("{} {} {}", kernel.operation, kernel.path, device.name);
        const bool planned =
            std::any_of(header_.implementations.begin(), header_.implementations.end(),
                        [&](const ImplementationInfo& info) { return info.key() == key; });
        const bool excused = std::any_of(
            not_run_.begin(), not_run_.end(),
            [&](const NotRunRecord& row) { return says_not_run(row, kernel, device.name); });
        // A filter may leave an operation without a case.
        if (planned || !has_cases(kernel.operation)) continue;
        if (!excused || (device.name == "cpu" && kernel.on_cpu)) {
          add("{} is a kernel of this build that {}", key,
              excused ? "runs on every machine, and is said not to" : "was left out unsaid");
        }
      }
    }
  }

  bool has_cases(const std::string& operation) const {
    return std::any_of(plan_.cases.begin(), plan_.cases.end(),
                       [&](const Case& each) { return each.operation == operation; });
  }

  void profiles() {
    std::map<std::string, int> names;
    for (const JudgedProfile& profile : header_.profiles) {
      if (++names[profile.name] > 1) add("the profile {} is embedded twice", profile.name);
      const std::string digest = profile_sha256(profile.contents);
      if (digest != profile.sha256) {
        add("the profile {} has sha256 {}, and is said to have {}", profile.name, digest,
            profile.sha256);
      }
      if (knowledge_.shipped_profile) {
        const auto shipped = knowledge_.shipped_profile(profile.name);
        if (shipped && profile_sha256(*shipped) != digest) {
          add("the profile {} is not the one that is shipped by that name", profile.name);
        }
      }
      if (knowledge_.read_profile) {
        const auto read = knowledge_.read_profile(profile.contents);
        if (!read) add("the profile {}: {}", profile.name, read.error().message);
      }
    }
    for (const auto& [key, digest] : judging_profiles(header_)) {
      if (digest.empty()) add("what {} is judged by is not in the header", key);
    }
  }

  const RunHeader& header_;
  std::span<const NotRunRecord> not_run_;
  const Plan& plan_;
  const SuiteKnowledge& knowledge_;
  std::vector<std::string> faults_;
};

}  // namespace

std::string profile_sha256(const nlohmann::json& contents) { return sha256_hex(contents.dump()); }

Result<Plan> plan_again(const RunHeader& header, const SuiteKnowledge& knowledge) {
  return make_plan(knowledge.operations, header.implementations, header.selection);
}

std::vector<std::string> header_faults(const RunHeader& header,
                                       std::span<const NotRunRecord> not_run, const Plan& plan,
                                       const SuiteKnowledge& knowledge) {
  return HeaderCheck(header, not_run, plan, knowledge).faults();
}

}  // namespace harness
