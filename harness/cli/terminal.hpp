// What a terminal can show.
#pragma once

#include <chrono>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace harness::cli {

// Whether stderr is a terminal that can go back to the start of a line.
bool can_show_bar();
// Whether stdout is a terminal, and NO_COLOR is not set (no-color.org).
bool can_show_color();

inline constexpr std::string_view red = "31";
inline constexpr std::string_view green = "32";
inline constexpr std::string_view yellow = "33";
// The text in a color, or, where `color` is not to be shown, as it is.
std::string painted(std::string_view text, std::string_view hue, bool color);

// "1:05" of 65 seconds.
std::string clock_time(double seconds);

// Writes to stdout, at once.
void print(std::string_view text);
// As one line.
void print_json(const nlohmann::ordered_json& json);

// What fits into a line of so many columns: bar and text, or the text, or its beginning.
std::string fitted(std::string_view bar, std::string_view text, std::size_t columns);

// What is asked of a command's output.
struct OutputOptions {
  bool quiet = false;  // no progress
  bool json = false;   // stdout holds JSON objects, one a line
  bool color = true;   // where stdout is a terminal
};

// How far long work has come, on stderr: one line that is written over on a terminal, a line every
// few seconds otherwise.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet) : quiet_(quiet), overwrites_(can_show_bar()) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ProgressLine(ProgressLine&&) = delete;
  ProgressLine& operator=(ProgressLine&&) = delete;

  // Whether it is time to show another.
  bool due() const;
  // `bar` is put before the text where the line is written over.
  void show(std::string_view text, std::string_view bar = {});
  // Makes room for other output.
  void clear();

 private:
  bool quiet_;
  bool overwrites_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace harness::cli
