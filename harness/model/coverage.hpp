// Counts of what a run exercised. A bin is a name such as "pair/place7" or "edge/nan_scale"; dense
// domains (code x scale x place) are counted in arrays.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/result.hpp"

namespace harness {

class Coverage {
 public:
  static constexpr unsigned max_places = 32;  // of a scale block

  // One element decoded: its code (0..15), its scale byte and its place in the scale block.
  void add_element(std::uint8_t code, std::uint8_t scale, unsigned place) {
    ++pairs_[std::size_t{scale} * 16 + code];
    if (place < max_places) places_[place].set(std::size_t{scale} * 16 + code);
  }
  void add(const std::string& bin, std::uint64_t count = 1) { bins_[bin] += count; }
  void merge(const Coverage& other);

  std::uint64_t pair(std::uint8_t code, std::uint8_t scale) const {
    return pairs_[std::size_t{scale} * 16 + code];
  }
  unsigned pairs_hit() const;                   // of 4096
  unsigned pairs_hit_at(unsigned place) const;  // of 4096
  const std::map<std::string, std::uint64_t>& bins() const { return bins_; }

  // Whether a bin that an operation requires was hit: "pairs" and "pairs/place7" when all 4096
  // pairs of code and scale were, anywhere and at that place of a scale block; any other name when
  // its count is not 0.
  bool hit(std::string_view bin) const;

  bool operator==(const Coverage&) const = default;
  friend nlohmann::ordered_json to_json(const Coverage& coverage);
  friend Result<Coverage> coverage_from_json(const nlohmann::json& json, std::string_view place);

 private:
  struct PairSet {
    std::array<std::uint64_t, 64> words{};
    bool operator==(const PairSet&) const = default;
    void set(std::size_t i) { words[i / 64] |= std::uint64_t{1} << (i % 64); }
  };
  std::array<std::uint64_t, 4096> pairs_{};  // scale-major
  std::array<PairSet, max_places> places_{};
  std::map<std::string, std::uint64_t> bins_;
};

// {"bins": {name: count}, "pairs": [count of (scale 0, code 0), (scale 0, code 1), ...],
// "places": [hex, ...]}: a place's hex digits are 64 words of 64 bits, bit i of word w being pair
// 64 * w + i. "pairs" and "places" are empty where no element was counted.
nlohmann::ordered_json to_json(const Coverage& coverage);
// `place` is what errors call the object.
Result<Coverage> coverage_from_json(const nlohmann::json& json, std::string_view place);

}  // namespace harness
