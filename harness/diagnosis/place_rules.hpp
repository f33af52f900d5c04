// Maps from one place of a page to another, as indexing faults make them: the token before, every
// token of a pair by the other, groups in reverse. A fault that no model knows is fitted by them.
#pragma once

#include <string>
#include <vector>

namespace harness {

struct PlaceRule {
  std::string says;  // "token t-1", of a coordinate called t
  enum class Kind { add, exclusive_or, remainder, multiple, constant } kind = Kind::add;
  int by = 0;
  int extent = 1;  // of the coordinate

  // The place that is taken for `i`; ends wrap around.
  int operator()(int i) const;
};

// All of a coordinate of `extent` places, a power of two, called `name` ("token") and `letter`.
std::vector<PlaceRule> place_rules(const std::string& name, char letter, int extent);

}  // namespace harness
