#include "harness/suite/profiles/axes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/suite/profiles/profiles.hpp"
#include "oracle/profile_members.hpp"

namespace harness {
namespace {

using oracle::Words;

// Visits members and changes one of them: the `step`-th of all other words, counted from 0.
struct Step {
  std::size_t step;
  std::string place = {};
  std::string member = {};
  std::string word_taken = {};
  std::size_t seen = 0;

  template <class Bits>
  void bits(const char* /*key*/, Bits& /*value*/) {}
  template <class Enum, std::size_t count>
  void word(const char* key, const Words<Enum, count>& words, Enum& value) {
    const Enum before = value;
    for (const auto& [each, spelled] : words) {
      if (each == before) continue;
      if (seen++ != step) continue;
      value = each;
      member = place + key;
      word_taken = spelled;
    }
  }
  template <class Object>
  void object(const char* key, Object& value) {
    const std::string outer = std::exchange(place, place + key + '.');
    members(*this, value);
    place = outer;
  }
  void names(const char* /*key*/, std::vector<std::string>& /*value*/) {}
};

void collect(const nlohmann::ordered_json& first, const nlohmann::ordered_json& second,
             const std::string& place, std::vector<ProfileDifference>& found) {
  for (const auto& [key, value] : first.items()) {
    const auto& other = second.at(key);
    if (value == other || key == "name" || key == "version" || key == "unverified") continue;
    if (value.is_object()) {
      collect(value, other, place + key + '.', found);
    } else {
      found.push_back({place + key, value.get<std::string>(), other.get<std::string>()});
    }
  }
}

}  // namespace

std::vector<ProfileStep> one_word_away(const oracle::Profile& from) {
  std::vector<ProfileStep> steps;
  for (std::size_t n = 0;; ++n) {
    oracle::Profile changed = from;
    Step step{n};
    members(step, changed);
    if (step.member.empty()) return steps;
    steps.push_back({std::move(step.member), std::move(step.word_taken), std::move(changed)});
  }
}

std::vector<ProfileDifference> differences(const oracle::Profile& first,
                                           const oracle::Profile& second) {
  std::vector<ProfileDifference> found;
  collect(to_json(first), to_json(second), "", found);
  return found;
}

}  // namespace harness
