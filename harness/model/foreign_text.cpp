#include "harness/model/foreign_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace harness {
namespace {

struct Decoded {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: no UTF-8 begins here
};

// The code point at the beginning of `text`, after the table of Unicode's section 3.9: overlong
// forms, surrogates and what lies past 10ffff are no UTF-8.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length == 0 || first > 0xf4 || text.size() < length) return {};
  std::uint32_t code = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t least[]{0, 0, 0x80, 0x800, 0x10000};
  if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
  return {code, length};
}

constexpr bool between(std::uint32_t code, std::uint32_t first, std::uint32_t last) {
  return code >= first && code <= last;
}

bool is_harmful(std::uint32_t code) {
  return code < 0x20 || between(code, 0x7f, 0x9f) ||         // controls
         between(code, 0x2028, 0x202e) ||                    // separators, overrides
         between(code, 0x2066, 0x2069) ||                    // isolates
         between(code, 0x200e, 0x200f) || code == 0x061c ||  // marks of direction
         code == 0xfeff || between(code, 0xfff9, 0xfffb) ||  // a byte order mark, annotations
         between(code, 0xfdd0, 0xfdef) || (code & 0xfffe) == 0xfffe ||  // no characters
         between(code, 0xe0000, 0xe007f);                               // tags that nobody sees
}

// Nearly all text is.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode(text);
    const std::size_t bytes = std::max<std::size_t>(next.bytes, 1);
    if (next.bytes == 0) {
      clean += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (next.code == '\t' || next.code == '\n') {
      clean += ' ';
    } else if (!is_harmful(next.code)) {
      clean += text.substr(0, bytes);
    } else {
      clean += next.code < 0x100 ? fmt::format("\\x{:02x}", next.code)
                                 : fmt::format("\\u{:04x}", next.code);
    }
    text.remove_prefix(bytes);
  }
  return clean;
}

void clean_texts(nlohmann::json& json) {
  if (json.is_string()) {
    auto& text = json.get_ref<std::string&>();
    if (!is_plain(text)) text = clean_text(text);
    return;
  }
  bool plain_names = true;
  for (auto& [name, value] : json.items()) {
    plain_names = plain_names && is_plain(name);
    if (value.is_structured() || value.is_string()) clean_texts(value);
  }
  if (plain_names || !json.is_object()) return;
  nlohmann::json cleaned = nlohmann::json::object();
  for (auto& [name, value] : json.items()) cleaned[clean_text(name)] = std::move(value);
  json = std::move(cleaned);
}

}  // namespace harness
