// What a terminal can show.
#pragma once

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

}  // namespace harness::cli
