#include "harness/diagnosis/row_families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace harness {
namespace {

struct RowRule {
  std::string says;
  std::function<std::int64_t(std::int64_t)> of;
};

const std::vector<RowRule>& row_rules() {
  static const std::vector<RowRule> rules = [] {
    std::vector<RowRule> all;
    for (int by = 1; by <= 8; ++by) {
      all.push_back({fmt::format("element i-{}", by), [by](std::int64_t i) { return i - by; }});
      all.push_back({fmt::format("element i+{}", by), [by](std::int64_t i) { return i + by; }});
      all.push_back({fmt::format("element i^{}", by), [by](std::int64_t i) { return i ^ by; }});
    }
    for (const int of : {2, 4, 8}) {
      for (int place = 0; place < of; ++place) {
        all.push_back({fmt::format("element {} of its {}", place, of),
                       [=](std::int64_t i) { return i / of * of + place; }});
      }
    }
    return all;
  }();
  return rules;
}

// As that of pages: how often another element's input would have given the same result.
constexpr double enough_row_bits = 28;
constexpr std::size_t elements_asked = 256;
constexpr std::size_t others_asked = 24;
constexpr std::int64_t near_by = 24;

}  // namespace

void consider_row_families(const RowScene& scene, const Judged& judged, const Sample& sample,
                           Naming& naming) {
  if (sample.wrong.empty()) return;
  enum class Part { both, code, scale };
  const auto result = [&](Part part, std::size_t i, std::size_t from) {
    return scene.result(part == Part::scale ? i : from, part == Part::code ? i : from);
  };
  bool beyond_chance = false;
  std::set<std::uint32_t> written;
  for (const std::size_t i : sample.wrong) written.insert(judged.actual_at(i));
  const auto fits = [&](Part part, const RowRule& rule) {
    double bits = 0;
    std::size_t asked = 0;
    for (const std::size_t i : sample.wrong) {
      const std::int64_t from = rule.of(static_cast<std::int64_t>(i));
      if (from < 0 || from >= static_cast<std::int64_t>(scene.elements)) return false;
      if (result(part, i, static_cast<std::size_t>(from)) != judged.actual_at(i)) return false;
      if (++asked > elements_asked) continue;
      // In rows that are sorted, or made of neighbours of something, many an element would do.
      const auto fits_too = [&](std::int64_t other) {
        return other >= 0 && other < static_cast<std::int64_t>(scene.elements) && other != from &&
               result(part, i, static_cast<std::size_t>(other)) == judged.actual_at(i);
      };
      bool near = false;
      for (std::int64_t by = -near_by; by <= near_by && !near; ++by) {
        near = fits_too(static_cast<std::int64_t>(i) + by);
      }
      if (near) continue;
      std::size_t same = 0;
      for (std::size_t k = 1; k <= others_asked; ++k) {
        same += fits_too(static_cast<std::int64_t>((i + k * 7919) % scene.elements)) ? 1U : 0U;
      }
      bits -= std::log2((static_cast<double>(same) + 0.5) / (others_asked + 1.0));
    }
    beyond_chance = bits >= enough_row_bits && written.size() >= 4;
    return true;
  };
  const std::string every = fmt::format("Every wrong {}", judged.width == 1 ? "byte" : "element");
  const auto consider = [&](std::string_view name, Part part, std::string_view what) {
    for (const RowRule& rule : row_rules()) {
      if (!fits(part, rule)) continue;
      naming.add({name, fmt::format("{} has {} of {}.", every, what, rule.says), beyond_chance});
      if (beyond_chance) return;
    }
  };
  consider("stored_elsewhere", Part::both, "the result");
  if (!scene.has_scales) return;
  consider("code_from_elsewhere", Part::code, "the code");
  consider("scale_from_elsewhere", Part::scale, "the scale");
}

}  // namespace harness
