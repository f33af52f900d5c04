#include "harness/files/shell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace harness {

std::string shell_word(const std::string& text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  const auto control = [](unsigned char c) { return c < ' ' || c == 0x7f; };
  if (std::any_of(text.begin(), text.end(), control)) {
    std::string spelled = "$'";
    for (const char c : text) {
      if (control(static_cast<unsigned char>(c))) {
        spelled += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      } else {
        spelled += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
      }
    }
    return spelled + "'";
  }
  std::string quotes = "'";
  for (const char c : text) quotes += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quotes + "'";
}

}  // namespace harness
