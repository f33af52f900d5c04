#include "harness/diagnosis/place_rules.hpp"

#include <fmt/format.h>

namespace harness {

int PlaceRule::operator()(int i) const {
  switch (kind) {
    case Kind::add:
      return ((i + by) % extent + extent) % extent;
    case Kind::exclusive_or:
      return i ^ by;
    case Kind::remainder:
      return i % by;
    case Kind::multiple:
      return i / by * by;
    case Kind::constant:
      break;
  }
  return by;
}

std::vector<PlaceRule> place_rules(const std::string& name, char letter, int extent) {
  using Kind = PlaceRule::Kind;
  std::vector<PlaceRule> rules;
  const auto add = [&](Kind kind, int by, const std::string& formula) {
    rules.push_back({name + " " + formula, kind, by, extent});
  };
  for (int by = 1; by < extent; by *= 2) {
    add(Kind::add, -by, fmt::format("{}-{}", letter, by));
    add(Kind::add, by, fmt::format("{}+{}", letter, by));
  }
  for (int by = 1; by < extent; by *= 2) {
    add(Kind::exclusive_or, by, fmt::format("{}^{}", letter, by));
    // In reverse within each 2 * by.
    if (by > 1) {
      add(Kind::exclusive_or, 2 * by - 1, fmt::format("{}^{}", letter, 2 * by - 1));
    }
  }
  for (int by = 2; by < extent; by *= 2) {
    add(Kind::remainder, by, fmt::format("{} mod {}", letter, by));
    add(Kind::multiple, by, fmt::format("{0} - {0} mod {1}", letter, by));
  }
  add(Kind::constant, 0, "0");
  add(Kind::constant, extent - 1, fmt::format("{}", extent - 1));
  return rules;
}

}  // namespace harness
