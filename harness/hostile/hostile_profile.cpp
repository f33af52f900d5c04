#include "harness/files/strict_json.hpp"
#include "harness/hostile/targets.hpp"
#include "harness/suite/profiles/profiles.hpp"

namespace harness::hostile {

// A profile that was read says all of itself: written and read again it writes the same.
void hostile_profile(Bytes bytes) {
  const auto json = parse_json(text_of(bytes), source);
  if (!accepted(json)) return;
  const auto profile = profile_from_json(*json, source);
  if (!accepted(profile)) return;
  const nlohmann::ordered_json written = to_json(*profile);
  const auto again = must(profile_from_json(nlohmann::json::parse(written.dump()), source),
                          "a profile that was written");
  law(to_json(again) == written, "a profile reads back equal");
}

}  // namespace harness::hostile
