#include "harness/results/verdict/header_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/files/sha256.hpp"
#include "harness/results/verdict/plan.hpp"
#include "harness/results/verdict/verdict.hpp"

namespace harness {
namespace {

bool is_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// "0.1.0", "1.0.0-rc.1".
bool is_version(std::string_view text) {
  constexpr std::size_t longest = 40;
  return !text.empty() && text.size() <= longest &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '.' || c == '-' ||
                  c == '+';
         });
}

// As a build names its commit: the digest of a clean tree, "-dirty" behind it otherwise.
bool is_commit(std::string_view text) {
  constexpr std::size_t digits = 40;
  constexpr std::string_view changed = "-dirty";
  if (text.ends_with(changed)) text.remove_suffix(changed.size());
  return text == "unknown" || is_hex(text, digits);
}

// "2026-11-29T20:10:00Z".
bool is_time(std::string_view text) {
  constexpr std::string_view form = "0000-00-00T00:00:00Z";
  if (text.size() != form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool fits = form[i] == '0' ? text[i] >= '0' && text[i] <= '9' : text[i] == form[i];
    if (!fits) return false;
  }
  return true;
}

bool is_sha256(std::string_view text) {
  constexpr std::size_t digits = 64;
  return is_hex(text, digits);
}

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
      if (selects_device(selection.devices, device.name)) continue;
      add("{} is a device that was not selected", device.name);
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
    const std::vector<std::string> found = profile_faults(header_, knowledge_);
    faults_.insert(faults_.end(), found.begin(), found.end());
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

std::vector<std::string> identity_faults(const ResultsFile& results,
                                         const SuiteKnowledge& knowledge) {
  const RunHeader& header = results.header;
  std::vector<std::string> faults;
  const auto expect = [&](bool holds, std::string_view what, std::string_view expected,
                          const std::string& got) {
    if (!holds) faults.push_back(fmt::format("{}: expected {}, got '{}'", what, expected, got));
  };
  expect(is_version(header.suite_version), "the suite's version", "one like 0.1.0",
         header.suite_version);
  expect(is_commit(header.suite_commit), "the suite's commit", "its digest", header.suite_commit);
  expect(is_time(header.started), "when it started", "a time in UTC", header.started);
  if (results.end) {
    expect(is_time(results.end->finished), "when it finished", "a time in UTC",
           results.end->finished);
  }
  if (header.suite_commit == knowledge.commit) {
    expect(header.suite_version == knowledge.version, "the suite's version at this commit",
           knowledge.version, header.suite_version);
    expect(header.vectors_sha256 == knowledge.vectors_sha256,
           "the vector manifest's sha256 at this commit", knowledge.vectors_sha256,
           header.vectors_sha256);
  }
  for (const ImplementationInfo& info : header.implementations) {
    expect(info.module_sha256.empty() || is_sha256(info.module_sha256),
           fmt::format("the digest of {}", info.key()), "a sha256", info.module_sha256);
  }
  return faults;
}

std::vector<std::string> profile_faults(const RunHeader& header, const SuiteKnowledge& knowledge) {
  std::vector<std::string> faults;
  std::set<std::string> names;
  for (const JudgedProfile& profile : header.profiles) {
    if (!names.insert(profile.name).second) {
      faults.push_back(fmt::format("the profile {} is embedded twice", profile.name));
    }
    const std::string digest = profile_sha256(profile.contents);
    if (digest != profile.sha256) {
      faults.push_back(fmt::format("the profile {} has sha256 {}, and is said to have {}",
                                   profile.name, digest, profile.sha256));
    }
    if (knowledge.shipped_profile) {
      const auto shipped = knowledge.shipped_profile(profile.name);
      if (shipped && profile_sha256(*shipped) != digest) {
        faults.push_back(fmt::format("the profile {} is not the one that is shipped by that name",
                                     profile.name));
      }
    }
    if (knowledge.read_profile) {
      const auto read = knowledge.read_profile(profile.contents);
      if (!read) {
        faults.push_back(fmt::format("the profile {}: {}", profile.name, read.error().message));
      }
    }
  }
  return faults;
}

Result<Plan> plan_again(const RunHeader& header, const SuiteKnowledge& knowledge) {
  return make_plan(knowledge.operations, header.implementations, header.selection);
}

std::vector<std::string> header_faults(const RunHeader& header,
                                       std::span<const NotRunRecord> not_run, const Plan& plan,
                                       const SuiteKnowledge& knowledge) {
  return HeaderCheck(header, not_run, plan, knowledge).faults();
}

}  // namespace harness
