#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "harness/files/strict_json.hpp"
#include "harness/model/profile_name.hpp"
#include "harness/suite/profiles/profiles.hpp"

namespace harness {
Result<oracle::Profile> load_profile(std::string_view name_or_file) {
  if (names_a_profile_file(name_or_file)) {
    return read_json_file(std::string(name_or_file)).and_then([&](const nlohmann::json& json) {
      return profile_from_json(json, name_or_file);
    });
  }
  std::vector<std::string_view> names;
  for (const ShippedProfile& shipped : shipped_profiles()) {
    names.push_back(shipped.name);
    if (shipped.name != name_or_file) continue;
    const std::string source = fmt::format("profile {}", shipped.name);
    return parse_json(shipped.json, source).and_then([&](const nlohmann::json& json) {
      return profile_from_json(json, source);
    });
  }
  return oracle::fail(
      ErrorCode::unknown_name,
      fmt::format("no profile is named '{}'; there are: {}, or a file whose name ends in .json",
                  name_or_file, fmt::join(names, ", ")));
}

Result<const oracle::Profile*> profile_named(std::string_view name) {
  // Read once: a run goes on with the profile that it began with.
  static std::mutex mutex;
  static std::map<std::string, oracle::Profile, std::less<>> loaded;
  const std::lock_guard lock(mutex);
  auto found = loaded.find(name);
  if (found == loaded.end()) {
    auto profile = load_profile(name);
    if (!profile) return tl::make_unexpected(profile.error());
    found = loaded.emplace(name, std::move(*profile)).first;
  }
  return &found->second;
}

}  // namespace harness
