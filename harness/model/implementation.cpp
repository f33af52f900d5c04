#include "harness/model/implementation.hpp"

#include <array>

namespace harness {
namespace {
constexpr std::array<std::string_view, 3> machinery_names{"native", "emulated", "simulated"};
}  // namespace

std::string_view name_of(Machinery machinery) {
  return machinery_names[static_cast<std::size_t>(machinery)];
}

std::optional<Machinery> machinery_named(std::string_view name) {
  for (std::size_t i = 0; i < machinery_names.size(); ++i) {
    if (machinery_names[i] == name) return static_cast<Machinery>(i);
  }
  return std::nullopt;
}

}  // namespace harness
