#include "harness/diagnosis/value_families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace harness {
namespace {

constexpr std::size_t max_said = 4;  // entries of a map that a statement lists

struct PairSeen {
  bool met = false;
  std::uint32_t actual = 0;
  std::uint32_t expected = 0;
  bool wrong() const { return actual != expected; }
};
using Pairs = std::vector<PairSeen>;  // by pair_index

std::optional<Pairs> pairs_of(const Judged& judged, const Sample& sample, const PairOf& pair_of) {
  Pairs pairs(std::tuple_size_v<ResultTable>);
  for (const auto* elements : {&sample.wrong, &sample.right}) {
    for (const std::size_t i : *elements) {
      const auto pair = pair_of(i);
      if (!pair) {
        if (judged.wrong_at(i)) return std::nullopt;
        continue;
      }
      pairs[pair_index(pair->first, pair->second)] = {true, judged.actual_at(i),
                                                      judged.expected_at(i)};
    }
  }
  return pairs;
}

// A map of codes, scales or results, as far as it is not the identity, and what speaks for it.
struct MapFit {
  std::map<std::uint32_t, std::uint32_t> map;
  std::size_t beyond_choice = 0;  // agreements beyond those that the choice of the map made
};

std::string said(const MapFit& fit, const char* form) {
  std::string text;
  std::size_t n = 0;
  for (const auto& [from, to] : fit.map) {
    if (n++ == max_said) {
      return text + fmt::format(" and {} more", fit.map.size() - max_said);
    }
    text += (n > 1 ? ", " : "") + fmt::format(fmt::runtime(form), from) + " as " +
            fmt::format(fmt::runtime(form), to);
  }
  return text;
}

// Every code (or every scale) that wrong pairs have is taken for another one under every scale (or
// code). `of` is the coordinate of a pair, `with` the pair that has another one.
template <class Of, class With>
std::optional<MapFit> fit_inputs(const Pairs& pairs, const ResultTable& right, unsigned choices,
                                 Of of, With with) {
  std::map<std::uint32_t, std::vector<std::size_t>> by_input;
  std::map<std::uint32_t, std::size_t> wrong;
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    if (!pairs[pair].met) continue;
    by_input[of(pair)].push_back(pair);
    if (pairs[pair].wrong()) ++wrong[of(pair)];
  }
  MapFit fit;
  for (const auto& [input, count] : wrong) {
    bool found = false;
    for (unsigned other = 0; other < choices && !found; ++other) {
      const auto& met = by_input[input];
      found = std::all_of(met.begin(), met.end(), [&](std::size_t pair) {
        return right[with(pair, other)] == pairs[pair].actual;
      });
      if (found) fit.map[input] = other;
    }
    if (!found) return std::nullopt;
    fit.beyond_choice += count > 2 ? count - 2 : 0;
  }
  return fit;
}

std::optional<MapFit> fit_results(const Pairs& pairs) {
  std::map<std::uint32_t, std::uint32_t> map;
  MapFit fit;
  std::size_t wrong = 0;
  for (const PairSeen& seen : pairs) {
    if (!seen.met) continue;
    const auto [known, fresh] = map.emplace(seen.expected, seen.actual);
    if (!fresh && known->second != seen.actual) return std::nullopt;
    if (!seen.wrong()) continue;
    ++wrong;
    fit.map[seen.expected] = seen.actual;
  }
  fit.beyond_choice = wrong - fit.map.size();
  return fit;
}

}  // namespace

PairsSay what_pairs_say(const Judged& judged, const Sample& sample, const PairOf& pair_of,
                        const std::vector<HintAxis>& axes) {
  std::vector<std::optional<std::uint32_t>> result(std::tuple_size_v<ResultTable>);
  for (const auto* elements : {&sample.wrong, &sample.right}) {
    for (const std::size_t i : *elements) {
      const auto pair = pair_of(i);
      if (!pair) continue;
      auto& known = result[pair_index(pair->first, pair->second)];
      if (known && *known != judged.actual_at(i)) return PairsSay::unequal_results;
      known = judged.actual_at(i);
    }
  }
  if (sample.wrong.empty()) return PairsSay::too_little;
  // A fault of certain places looks like one of values where a pair is met at such places alone.
  for (const HintAxis& axis : axes) {
    std::size_t varies = 0;
    const std::size_t any = axis.of(sample.wrong.front());
    for (const auto* elements : {&sample.wrong, &sample.right}) {
      for (const std::size_t i : *elements) varies |= axis.of(i) ^ any;
    }
    std::vector<std::optional<std::size_t>> first_place(std::tuple_size_v<ResultTable>);
    std::size_t same_pair_varies = 0;
    for (const std::size_t i : sample.wrong) {
      const auto pair = pair_of(i);
      if (!pair) return PairsSay::too_little;
      auto& first = first_place[pair_index(pair->first, pair->second)];
      if (!first) first = axis.of(i);
      same_pair_varies |= *first ^ axis.of(i);
    }
    if ((varies & ~same_pair_varies) != 0) return PairsSay::too_little;
  }
  return PairsSay::one_result;
}

bool meets_half(const ResultTable& right, const ResultTable& faulty, const Sample& sample,
                const std::function<std::size_t(std::size_t element)>& index_of) {
  std::vector<bool> met(right.size());
  for (const auto* elements : {&sample.wrong, &sample.right}) {
    for (const std::size_t i : *elements) {
      const std::size_t pair = index_of(i);
      if (pair < met.size()) met[pair] = true;
    }
  }
  std::size_t shown = 0;
  std::size_t shown_and_met = 0;
  for (std::size_t pair = 0; pair < right.size(); ++pair) {
    if (right[pair] == faulty[pair]) continue;
    ++shown;
    shown_and_met += met[pair] ? 1U : 0U;
  }
  return 2 * shown_and_met >= shown;
}

void consider_value_families(const ArithmeticSetting& setting, const Judged& judged,
                             const Sample& sample, const PairOf& pair_of, Naming& naming) {
  constexpr std::size_t enough = 6;
  const auto pairs = pairs_of(judged, sample, pair_of);
  if (!pairs) return;
  const ResultTable right = right_results(setting);
  const auto elements = fit_inputs(
      *pairs, right, 16, [](std::size_t pair) { return static_cast<std::uint32_t>(pair % 16); },
      [](std::size_t pair, unsigned other) { return pair / 16 * 16 + other; });
  const auto scales = fit_inputs(
      *pairs, right, 256, [](std::size_t pair) { return static_cast<std::uint32_t>(pair / 16); },
      [](std::size_t pair, unsigned other) { return other * 16 + pair % 16; });
  const auto results = fit_results(*pairs);
  const bool of_elements = elements && elements->beyond_choice >= enough;
  const bool of_scales = scales && scales->beyond_choice >= enough;
  const bool of_results = results && results->beyond_choice >= enough;
  const std::string form = fmt::format("{{:0{}x}}", 2 * oracle::size_of(setting.destination));
  if (of_elements && !of_scales && !of_results) {
    naming.add(
        {"element_values_wrong", fmt::format("Codes are read as others wherever they stand: {}.",
                                             said(*elements, "{:x}"))});
  } else if (of_scales && !of_elements && !of_results) {
    naming.add(
        {"scale_values_wrong", fmt::format("Scales are read as others wherever they stand: {}.",
                                           said(*scales, "{:02x}"))});
  } else if (of_results && !of_elements && !of_scales) {
    naming.add({"store_values_wrong",
                fmt::format("Results are stored as others whatever they are made from: {}.",
                            said(*results, form.c_str()))});
  } else {
    const auto wrong = std::count_if(pairs->begin(), pairs->end(),
                                     [](const PairSeen& each) { return each.wrong(); });
    const auto met =
        std::count_if(pairs->begin(), pairs->end(), [](const PairSeen& each) { return each.met; });
    naming.add({"product_values_wrong",
                fmt::format("Each pair of code and scale gives one result wherever it stands: {} "
                            "of {} pairs a wrong one.",
                            grouped(static_cast<std::uint64_t>(wrong)),
                            grouped(static_cast<std::uint64_t>(met)))});
  }
}

}  // namespace harness
