#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace harness::cli {

bool can_show_bar() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

bool can_show_color() { return std::getenv("NO_COLOR") == nullptr && ::isatty(STDOUT_FILENO) == 1; }

std::string painted(std::string_view text, std::string_view hue, bool color) {
  return color ? fmt::format("\x1b[{}m{}\x1b[0m", hue, text) : std::string(text);
}

std::string clock_time(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace harness::cli
