#include "harness/results/verdict/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <set>

#include "harness/files/sha256.hpp"
#include "harness/model/nearest_name.hpp"

namespace harness {
namespace {

bool any_matches(const std::vector<std::string>& patterns, const std::string& text) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return glob_matches(pattern, text); });
}

// Every pattern that is a name is one of `names`.
Status check_names(std::string_view what, const std::vector<std::string>& patterns,
                   const std::set<std::string>& names) {
  for (const std::string& pattern : patterns) {
    if (is_glob(pattern) || names.contains(pattern)) continue;
    return oracle::fail(
        ErrorCode::unknown_name,
        fmt::format("no {} is named '{}'; there are: {}{}", what, pattern, fmt::join(names, ", "),
                    did_you_mean(pattern, std::vector<std::string>(names.begin(), names.end()))));
  }
  return {};
}

bool selects(const Selection& selection, const ImplementationInfo& info) {
  return selected(selection.operations, info.operation) && selected(selection.paths, info.path);
}

// Whether a name of `patterns` picks out exactly this text, and nothing that is available has it.
bool asked_for_in_vain(const std::vector<std::string>& patterns, const std::string& text,
                       const std::set<std::string>& available) {
  return std::find(patterns.begin(), patterns.end(), text) != patterns.end() && !is_glob(text) &&
         !available.contains(text);
}

// Whether this was named on the command line as something under test.
bool is_under_test(const Selection& selection, const std::string& origin) {
  for (const auto* named : {&selection.libraries, &selection.programs, &selection.modules}) {
    if (std::find(named->begin(), named->end(), origin) != named->end()) return true;
  }
  return false;
}

std::vector<NotRunRecord> not_available(std::span<const ImplementationInfo> implementations,
                                        const Selection& selection) {
  std::set<std::string> operations;
  std::set<std::string> paths;
  std::set<std::string> devices;
  std::set<std::string> origins;
  for (const ImplementationInfo& info : implementations) {
    if (!info.unavailable.empty() || !selects(selection, info)) continue;
    operations.insert(info.operation);
    paths.insert(info.path);
    devices.insert(info.device);
    origins.insert(info.origin);
  }
  std::vector<NotRunRecord> records;
  for (const ImplementationInfo& info : implementations) {
    if (info.unavailable.empty() || !selects(selection, info)) continue;
    const bool requested =
        asked_for_in_vain(selection.operations, info.operation, operations) ||
        asked_for_in_vain(selection.paths, info.path, paths) ||
        asked_for_in_vain(selection.devices, info.device, devices) ||
        (is_under_test(selection, info.origin) && !origins.contains(info.origin));
    records.push_back({info.operation, info.path, info.device, info.unavailable, requested});
  }
  return records;
}

Status check_unique(std::set<std::string>& seen, const std::string& name, std::string_view what) {
  if (seen.insert(name).second) return {};
  return oracle::fail(ErrorCode::invalid_argument,
                      fmt::format("two {} are named '{}'; expected one", what, name));
}

}  // namespace

bool names_many_devices(std::string_view name) {
  return name == "all" || name == "cuda" || name == "hip";
}

bool selects_device(const std::vector<std::string>& names, const std::string& device) {
  const bool is_among_all = device != interpreter;
  if (names.empty()) return is_among_all;
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return (name == "all" && is_among_all) || name == device ||
           (names_many_devices(name) && device.starts_with(name + ':'));
  });
}

bool is_glob(std::string_view pattern) {
  return pattern.find_first_of("*?[") != std::string_view::npos;
}

bool glob_matches(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool selected(const std::vector<std::string>& patterns, const std::string& text) {
  return patterns.empty() || any_matches(patterns, text);
}

Status check_selection(std::span<const Operation* const> operations,
                       const std::set<std::string>& paths, const Selection& selection) {
  std::set<std::string> names;
  for (const Operation* operation : operations) names.emplace(operation->name());
  if (Status status = check_names("operation", selection.operations, names); !status) {
    return status;
  }
  if (Status status = check_names("path", selection.paths, paths); !status) return status;
  if (selection.shard.index >= selection.shard.count) {
    return oracle::fail(ErrorCode::out_of_range,
                        fmt::format("shard: expected an index below {}, got {}",
                                    selection.shard.count, selection.shard.index));
  }
  return {};
}

Result<Plan> make_plan(std::span<const Operation* const> operations,
                       std::span<const ImplementationInfo> implementations,
                       const Selection& selection) {
  std::set<std::string> seen;
  for (const ImplementationInfo& info : implementations) {
    if (Status status = check_unique(seen, info.key(), "implementations"); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  Plan plan;
  plan.not_run = not_available(implementations, selection);
  Sha256 digest;
  std::set<std::string> used_filters;
  for (const Operation* operation : operations) {
    if (!selected(selection.operations, std::string(operation->name()))) continue;
    for (Case& each : operation->cases(selection.level, selection.seed)) {
      if (Status status = check_unique(seen, each.id, "cases"); !status) {
        return tl::make_unexpected(status.error());
      }
      if (!selected(selection.filters, each.id) || any_matches(selection.excludes, each.id)) {
        continue;
      }
      const std::string case_sha256 = sha256_hex(each.spec.dump());
      for (std::size_t i = 0; i < implementations.size(); ++i) {
        const ImplementationInfo& info = implementations[i];
        if (info.operation != operation->name() || !info.unavailable.empty() ||
            !selects(selection, info)) {
          continue;
        }
        PlannedCase planned{plan.total, plan.cases.size(), i,
                            fmt::format("{} {} {}", each.id, info.path, info.device)};
        digest.update(fmt::format("{} {}\n", planned.key, case_sha256));
        plan.implementations.insert(i);
        for (const std::string& filter : selection.filters) {
          if (glob_matches(filter, each.id)) used_filters.insert(filter);
        }
        if (plan.total++ % selection.shard.count == selection.shard.index) {
          plan.planned.push_back(std::move(planned));
        }
      }
      plan.case_sha256.push_back(case_sha256);
      plan.cases.push_back(std::move(each));
    }
  }
  for (const std::string& filter : selection.filters) {
    if (!used_filters.contains(filter)) plan.idle_filters.push_back(filter);
  }
  plan.sha256 = digest.hex();
  return plan;
}

}  // namespace harness
