// What a profile's name refers to: one that is shipped, or a file.
#pragma once

#include <string_view>

namespace harness {

// "./mine.json", "rules/mine", "mine.json" name a file; "ocp" does not. What a file allows is its
// author's, so a verdict by one says so.
inline bool names_a_profile_file(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(".json");
}

}  // namespace harness
