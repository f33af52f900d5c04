// What wrong elements have in common, for faults that no model accounts for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/diagnosis/arithmetic_models.hpp"
#include "harness/diagnosis/hypothesis.hpp"

namespace harness {

// Code and scale of an element; none where nothing is decoded.
using PairOf = std::function<std::optional<std::pair<std::uint8_t, std::uint8_t>>(std::size_t)>;

// Whether each pair of code and scale gives one result wherever it stands, as far as was seen.
enum class PairsSay {
  one_result,       // and wrong pairs were met at places that differ in every bit of every axis
  unequal_results,  // so that the arithmetic is not what is wrong
  too_little,       // pairs were met at too few places to tell
};

// Of the values: which codes and scales the fault touches, and what it does to results.
std::string value_hint(const ArithmeticSetting& setting, const Judged& judged, const Sample& sample,
                       const PairOf& pair_of, PairsSay pairs_say);

// What all wrong results have in common: NaN, zero, a sign, a unit in the last place.
std::string result_hint(const ArithmeticSetting& setting, const Judged& judged,
                        const Sample& sample);

// A coordinate of elements, such as "token" or "lane".
struct HintAxis {
  std::string_view name;
  std::size_t extent;
  std::function<std::size_t(std::size_t)> of;
};
// Of the places: the coordinates that all wrong elements share, or the range or parity that they
// lie in. Axes that every wrong element spreads over are not mentioned.
std::string place_hint(const std::vector<HintAxis>& axes, const Sample& sample);

}  // namespace harness
