#include "harness/model/coverage.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

namespace harness {

void Coverage::merge(const Coverage& other) {
  for (std::size_t i = 0; i < pairs_.size(); ++i) pairs_[i] += other.pairs_[i];
  for (std::size_t place = 0; place < places_.size(); ++place) {
    for (std::size_t word = 0; word < places_[place].words.size(); ++word) {
      places_[place].words[word] |= other.places_[place].words[word];
    }
  }
  for (const auto& [bin, count] : other.bins_) bins_[bin] += count;
}

unsigned Coverage::pairs_hit() const {
  return static_cast<unsigned>(
      std::count_if(pairs_.begin(), pairs_.end(), [](std::uint64_t count) { return count != 0; }));
}

unsigned Coverage::pairs_hit_at(unsigned place) const {
  unsigned hit = 0;
  for (const std::uint64_t word : places_[place].words) {
    hit += static_cast<unsigned>(std::popcount(word));
  }
  return hit;
}

bool Coverage::hit(std::string_view bin) const {
  constexpr std::string_view at_place = "pairs/place";
  if (bin == "pairs") return pairs_hit() == pairs_.size();
  if (bin.starts_with(at_place)) {
    const std::string_view digits = bin.substr(at_place.size());
    unsigned place = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), place);
    return error == std::errc() && end == digits.end() && place < places_.size() &&
           pairs_hit_at(place) == pairs_.size();
  }
  const auto found = bins_.find(std::string(bin));
  return found != bins_.end() && found->second != 0;
}

}  // namespace harness
