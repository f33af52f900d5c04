#include "harness/model/case.hpp"

#include <array>

namespace harness {
namespace {
constexpr std::array<std::string_view, 4> level_names{"smoke", "standard", "full", "exhaustive"};
}  // namespace

std::string_view name_of(Level level) { return level_names[static_cast<std::size_t>(level)]; }

std::optional<Level> level_named(std::string_view name) {
  for (std::size_t i = 0; i < level_names.size(); ++i) {
    if (level_names[i] == name) return static_cast<Level>(i);
  }
  return std::nullopt;
}

}  // namespace harness
