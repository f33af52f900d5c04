// Profiles as versioned JSON files (docs/design.md section 4, docs/profiles.md,
// harness/schema/profile.schema.json). The shipped ones are files as well, embedded in the binary.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "harness/model/result.hpp"
#include "oracle/profile.hpp"

namespace harness {

// Reading is strict: a member that is unknown, missing, of another type or not among its words is
// an error that names it, what was expected and what it is. A file with "extends": NAME states
// only where it differs from that shipped profile. `source` names the text in errors.
Result<oracle::Profile> profile_from_json(const nlohmann::json& json, std::string_view source);

// Every member, in the order of docs/profiles.md; reading it back gives the same profile.
nlohmann::ordered_json to_json(const oracle::Profile& profile);

// A shipped profile by its name, or the profile in a file: what holds a '/' or ends in ".json".
// Error: unknown_name with the names there are; otherwise as profile_from_json and file.hpp.
Result<oracle::Profile> load_profile(std::string_view name_or_file);

// The same, kept: whoever asks again gets what was read first. The one look-up of every command.
Result<const oracle::Profile*> profile_named(std::string_view name_or_file);

struct ShippedProfile {
  std::string_view name;
  std::string_view json;  // the file's text
};
// The default first.
std::vector<ShippedProfile> shipped_profiles();

}  // namespace harness
