#include "harness/cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace harness::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double overwrite_period_seconds = 0.1;
constexpr double line_period_seconds = 5;

// Columns of the terminal on stderr; asked for every time, since a window can be made narrower.
std::size_t columns() {
  constexpr std::size_t usual = 80;
  struct winsize size {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return usual;
}

}  // namespace

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

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void print_json(const nlohmann::ordered_json& json) {
  print(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
}

std::string fitted(std::string_view bar, std::string_view text, std::size_t columns) {
  // The last column stays free: a terminal may begin a new line as soon as it is written.
  const std::size_t room = columns > 0 ? columns - 1 : 0;
  if (bar.size() + text.size() <= room) return fmt::format("{}{}", bar, text);
  return std::string(text.substr(0, room));
}

bool ProgressLine::due() const {
  const double passed = std::chrono::duration<double>(Clock::now() - last_).count();
  return !quiet_ && passed >= (overwrites_ ? overwrite_period_seconds : line_period_seconds);
}

void ProgressLine::show(std::string_view text, std::string_view bar) {
  last_ = Clock::now();
  shown_ = overwrites_;
  std::fputs(
      (overwrites_ ? "\r\x1b[K" + fitted(bar, text, columns()) : fmt::format("fp4cts: {}\n", text))
          .c_str(),
      stderr);
}

void ProgressLine::clear() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
  shown_ = false;
}

}  // namespace harness::cli
