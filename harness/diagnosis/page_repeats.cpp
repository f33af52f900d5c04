#include <algorithm>
#include <string>
#include <vector>

#include "harness/diagnosis/page_families.hpp"
#include "harness/diagnosis/place_rules.hpp"

namespace harness {
namespace {

// `at(layout, page, token, column)` is the same at the place that a rule gives, wherever that is
// another.
template <class At>
bool repeats(const PageScene& scene, int columns, const std::string& name, At at) {
  const auto pages_keep = [&](const PlaceRule& rule, bool of_tokens) {
    return std::all_of(scene.jobs().begin(), scene.jobs().end(), [&](const PageJob& job) {
      const std::uint8_t* page =
          scene.pool().storage.data() +
          static_cast<std::size_t>(scene.pool().origin_bytes + job.codes_base);
      for (int t = 0; t < scene.layout().num_tokens; ++t) {
        for (int c = 0; c < columns; ++c) {
          const int token = of_tokens ? rule(t) : t;
          const int column = of_tokens ? c : rule(c);
          if (at(scene.layout(job.head), page, t, c) !=
              at(scene.layout(job.head), page, token, column)) {
            return false;
          }
        }
      }
      return true;
    });
  };
  const auto any = [&](const std::vector<PlaceRule>& rules, bool of_tokens) {
    return std::any_of(rules.begin(), rules.end(),
                       [&](const PlaceRule& rule) { return pages_keep(rule, of_tokens); });
  };
  return any(place_rules("token", 't', scene.layout().num_tokens), true) ||
         any(place_rules(name, 'c', columns), false);
}

}  // namespace

bool codes_repeat(const PageScene& scene) {
  return repeats(scene, scene.layout().head_dim, "element",
                 [](const oracle::PageLayout& layout, const std::uint8_t* page, int t, int c) {
                   return layout.code(page, t, c);
                 });
}

bool scales_repeat(const PageScene& scene) {
  return repeats(scene, scene.layout().groups_per_token(), "group",
                 [](const oracle::PageLayout& layout, const std::uint8_t* page, int t, int c) {
                   return layout.scale(page, t, c);
                 });
}

}  // namespace harness
