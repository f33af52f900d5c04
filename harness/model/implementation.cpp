#include "harness/model/implementation.hpp"

#include <array>

namespace harness {
namespace {
constexpr std::array<std::string_view, 3> names{"native", "emulated", "simulated"};
}  // namespace

std::string_view name_of(Machinery machinery) { return names[static_cast<std::size_t>(machinery)]; }

std::optional<Machinery> machinery_named(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Machinery>(i);
  }
  return std::nullopt;
}

}  // namespace harness
