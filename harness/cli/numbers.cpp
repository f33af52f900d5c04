#include "harness/cli/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace harness::cli {
namespace {

template <class Number>
std::optional<Number> number_from(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

CLI::Validator validator(const std::function<std::string(std::string&)>& check) {
  return CLI::Validator(check, "", "");
}

CLI::Validator finite_number(double above, bool or_equal, std::string_view expected) {
  return validator([=](std::string& text) {
    const auto number = number_from<double>(text);
    const bool fits =
        number && std::isfinite(*number) && (*number > above || (or_equal && *number == above));
    return fits ? std::string() : fmt::format("expected {}, got {}", expected, text);
  });
}

// The size of a unit: "", "k", "KiB", "gb".
std::optional<std::uint64_t> unit_from(std::string unit) {
  std::transform(unit.begin(), unit.end(), unit.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (unit.empty() || unit == "b") return 1;
  const std::size_t power = std::string_view("kmgt").find(unit.front()) + 1;
  const std::string rest = unit.substr(1);
  if (power == 0 || (!rest.empty() && rest != "b" && rest != "i" && rest != "ib")) {
    return std::nullopt;
  }
  std::uint64_t size = 1;
  for (std::size_t i = 0; i < power; ++i) size *= rest == "b" ? 1000U : 1024U;
  return size;
}

}  // namespace

CLI::Validator whole_number(std::uint64_t min, std::uint64_t max) {
  return validator([=](std::string& text) {
    const auto number = number_from<std::uint64_t>(text);
    if (number && *number >= min && *number <= max) return std::string();
    return fmt::format("expected a whole number from {} to {}, got {}", min, max, text);
  });
}

CLI::Validator positive_number() { return finite_number(0, false, "a number above 0"); }

CLI::Validator nonnegative_number() { return finite_number(0, true, "a number from 0 on"); }

CLI::Validator byte_count() {
  return validator([](std::string& text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = number_from<std::uint64_t>(std::string_view(text).substr(0, digits));
    const auto unit = unit_from(text.substr(digits));
    std::uint64_t bytes = 0;
    if (!number || !unit || *number == 0 || __builtin_mul_overflow(*number, *unit, &bytes) ||
        bytes > INT64_MAX) {
      return fmt::format("expected bytes, as 500000000, 512MiB or 4GiB, got {}", text);
    }
    text = std::to_string(bytes);
    return std::string();
  });
}

}  // namespace harness::cli
