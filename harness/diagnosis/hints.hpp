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

// Of the values: whether the fault is one of arithmetic (a pair of code and scale gives one result
// wherever it stands), which codes and scales it touches, and what it does to results.
std::string value_hint(const ArithmeticSetting& setting, const Judged& judged, const Sample& sample,
                       const PairOf& pair_of);

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
