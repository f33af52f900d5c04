#include "harness/results/gate/waivers.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

namespace harness {
namespace {

bool matches(const std::string& glob, const std::string& text) {
  return fnmatch(glob.c_str(), text.c_str(), 0) == 0;
}

// What a scope can ask of a record beside its own members.
struct Setting {
  const DeviceInfo* device = nullptr;  // null where the header does not state it
  std::string profile;                 // that the record was judged by
};

Setting setting_of(const CaseRecord& record, const std::vector<DeviceInfo>& devices,
                   const std::vector<ImplementationInfo>& implementations,
                   const std::string& profile) {
  Setting setting{nullptr, profile};
  for (const DeviceInfo& info : devices) {
    if (info.name == record.device) setting.device = &info;
  }
  for (const ImplementationInfo& info : implementations) {
    if (profile.empty() && info.operation == record.operation && info.path == record.path &&
        info.device == record.device) {
      setting.profile = info.profile;
    }
  }
  return setting;
}

bool in_scope(const Waiver& waiver, const CaseRecord& record, const Setting& setting) {
  const DeviceInfo* device = setting.device;
  const bool right_device = matches(waiver.device, record.device) ||
                            (device != nullptr && (matches(waiver.device, device->architecture) ||
                                                   matches(waiver.device, device->description)));
  const std::string driver =
      device != nullptr && device->facts.contains("driver") && device->facts["driver"].is_string()
          ? device->facts["driver"].get<std::string>()
          : std::string();
  return right_device && matches(waiver.operation, record.operation) &&
         matches(waiver.path, record.path) && matches(waiver.driver, driver) &&
         matches(waiver.profile, setting.profile) &&
         std::any_of(waiver.cases.begin(), waiver.cases.end(),
                     [&](const std::string& glob) { return matches(glob, record.case_id); });
}

bool covers(const Waiver& waiver, const CaseRecord& record) {
  return std::find(waiver.verdicts.begin(), waiver.verdicts.end(), record.verdict) !=
             waiver.verdicts.end() &&
         (waiver.fault_class.empty() || waiver.fault_class == record.diagnosis.fault_class);
}

}  // namespace

std::string Waiver::scope() const {
  std::string text = fmt::format("{}", fmt::join(cases, ", "));
  const auto add = [&](std::string_view word, const std::string& glob) {
    if (glob != "*" && !glob.empty()) text += fmt::format(" {} {}", word, glob);
  };
  add("of", operation);
  add("by path", path);
  add("on", device);
  add("with driver", driver);
  add("in profile", profile);
  add("of class", fault_class);
  return text;
}

WaiverBook::WaiverBook(const std::vector<Waiver>& waivers, const RunHeader& header,
                       std::string_view today)
    : devices_(header.devices),
      implementations_(header.implementations),
      profile_(header.selection.profile) {
  for (const Waiver& waiver : waivers) uses_.push_back({waiver, waiver.expires < today, 0, {}});
}

void WaiverBook::apply(CaseRecord& record) {
  record.waiver.clear();
  const Setting setting = setting_of(record, devices_, implementations_, profile_);
  for (WaiverUse& use : uses_) {
    if (use.expired || !in_scope(use.waiver, record, setting)) continue;
    if (record.verdict == Verdict::pass) use.unexpected_passes.push_back(record.key());
    if (!covers(use.waiver, record)) continue;
    ++use.covers;
    if (record.waiver.empty()) record.waiver = use.waiver.tracker;
  }
}

std::vector<WaiverUse> apply_waivers(ResultsFile& results, const std::vector<Waiver>& waivers,
                                     std::string_view today) {
  WaiverBook book(waivers, results.header, today);
  for (CaseRecord& record : results.cases) book.apply(record);
  return book.uses();
}

std::vector<std::string> waiver_faults(std::span<const WaiverUse> uses) {
  std::vector<std::string> faults;
  for (const WaiverUse& use : uses) {
    if (use.expired) {
      faults.push_back(fmt::format("the waiver {} of {} expired after {}", use.waiver.tracker,
                                   use.waiver.owner, use.waiver.expires));
    }
    if (!use.unexpected_passes.empty()) {
      faults.push_back(
          fmt::format("the waiver {} of {} covers what passes: {}{}", use.waiver.tracker,
                      use.waiver.owner, use.unexpected_passes.front(),
                      use.unexpected_passes.size() == 1
                          ? ""
                          : fmt::format(" and {} more", use.unexpected_passes.size() - 1)));
    }
  }
  return faults;
}

}  // namespace harness
