#include "harness/cli/run_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

#include "harness/cli/environment.hpp"
#include "harness/cli/knowledge.hpp"
#include "harness/cli/version.hpp"

namespace harness::cli {
namespace {

// Architectures of the kernels in the box whose code nothing has executed before this run.
std::string never_executed(std::span<const kernels::Image> images) {
  std::set<std::string> names;
  for (const kernels::Image& image : images) {
    std::istringstream stream{std::string(image.never_executed)};
    names.insert(std::istream_iterator<std::string>(stream), {});
  }
  return fmt::format("{}", fmt::join(names, " "));
}

// Modules none of whose code has been executed: paths that were only assembled.
nlohmann::ordered_json modules_never_executed(std::span<const kernels::Image> images) {
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const kernels::Image& image : images) {
    if (image.built() && image.never_executed == image.architectures) {
      names.push_back(fmt::format("{} ({})", image.module, image.architectures));
    }
  }
  return names;
}

}  // namespace

Result<RunHeader> make_header(const Suite& suite, const Selection& selection,
                              const Catalog& catalog, const Plan& plan) {
  RunHeader header;
  header.suite_version = suite_version();
  header.suite_commit = suite_commit();
  header.started = utc_now();
  header.selection = selection;
  header.plan_total = plan.total;
  header.plan_planned = plan.planned.size();
  header.plan_sha256 = plan.sha256;
  header.environment = environment();
  header.environment["assembled_never_executed"] = never_executed(suite.images);
  header.environment["modules_never_executed"] = modules_never_executed(suite.images);
  header.vectors_sha256 = vectors_sha256();
  header.devices = catalog.devices;
  for (const std::size_t used : plan.implementations) {
    header.implementations.push_back(catalog.implementations[used]->info());
  }
  header.idle_gpus = catalog.idle_gpus;
  header.not_run_rows = plan.not_run.size() + catalog.not_run.size();
  std::set<std::string> names;
  for (const ImplementationInfo& info : header.implementations) {
    const std::string& name = selection.profile.empty() ? info.profile : selection.profile;
    if (!names.insert(name).second) continue;
    Result<JudgedProfile> profile = judged_profile(name);
    if (!profile) return tl::make_unexpected(profile.error());
    header.profiles.push_back(*std::move(profile));
  }
  return header;
}

Status check_same_run(const RunHeader& before, const RunHeader& now) {
  const auto differs = [](std::string_view what, const std::string& then, const std::string& now_) {
    return oracle::fail(ErrorCode::invalid_argument,
                        fmt::format("cannot resume: {} was {}, and is {} now", what, then, now_));
  };
  if (before.suite_version != now.suite_version) {
    return differs("the suite's version", before.suite_version, now.suite_version);
  }
  if (before.suite_commit != now.suite_commit) {
    return differs("the suite's commit", before.suite_commit, now.suite_commit);
  }
  if (before.plan_sha256 != now.plan_sha256) {
    return differs("the plan's digest", before.plan_sha256, now.plan_sha256);
  }
  const auto modules = [](const RunHeader& header) {
    std::string text;
    for (const ImplementationInfo& info : header.implementations) {
      text += fmt::format("{} {}; ", info.key(), info.module_sha256);
    }
    return text;
  };
  if (modules(before) != modules(now)) {
    return differs("what is under test", modules(before), modules(now));
  }
  const auto machine = [](const RunHeader& header) {
    std::string text;
    for (const DeviceInfo& device : header.devices) {
      text += fmt::format("{}: {} ({}); ", device.name, device.description, device.architecture);
    }
    return text;
  };
  if (machine(before) != machine(now)) {
    return differs("what it runs on", machine(before), machine(now));
  }
  for (const JudgedProfile& profile : now.profiles) {
    for (const JudgedProfile& then : before.profiles) {
      if (then.name == profile.name && then.sha256 != profile.sha256) {
        return differs("what the profile " + profile.name + " says, by sha256", then.sha256,
                       profile.sha256);
      }
    }
  }
  return {};
}

}  // namespace harness::cli
