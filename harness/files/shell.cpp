#include "harness/files/shell.hpp"

#include <string_view>

namespace harness {

std::string shell_word(const std::string& text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quotes = "'";
  for (const char c : text) quotes += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quotes + "'";
}

}  // namespace harness
