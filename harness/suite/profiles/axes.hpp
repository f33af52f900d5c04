// The axes of profiles: every member that has words, one step from a profile, and where two differ.
#pragma once

#include <string>
#include <vector>

#include "oracle/profile.hpp"

namespace harness {

// A profile with one member changed: "mxfp4_writer.mode floor".
struct ProfileStep {
  std::string member;
  std::string word;
  oracle::Profile profile;
};

// Every profile that is one word away, in the order of docs/profiles.md.
std::vector<ProfileStep> one_word_away(const oracle::Profile& from);

// A member in which two profiles differ, with both values as the JSON files spell them.
struct ProfileDifference {
  std::string member;
  std::string first;
  std::string second;
};
std::vector<ProfileDifference> differences(const oracle::Profile& first,
                                           const oracle::Profile& second);

}  // namespace harness
