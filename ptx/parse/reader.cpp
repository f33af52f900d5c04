#include "ptx/parse/reader.hpp"

#include <charconv>

namespace ptx::parse {

std::optional<std::uint64_t> integer_of(std::string_view text) {
  if (!text.empty() && text.back() == 'U') text.remove_suffix(1);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
    base = 2;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
    text.remove_prefix(1);
  }
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || text.empty())
    return std::nullopt;
  return value;
}

Result<std::uint64_t> Reader::unsigned_number(std::string_view what) {
  if (peek().kind != Token::Kind::number) return expected(what);
  const auto value = integer_of(peek().text);
  if (!value) return expected(what);
  next();
  return *value;
}

std::uint32_t bits_of_type(std::string_view directive) {
  if (directive == ".pred") return 1;
  if (directive.size() < 3 || directive[0] != '.') return 0;
  const std::string_view width = directive.substr(2);
  const char kind = directive[1];
  if (kind != 'b' && kind != 'u' && kind != 's' && kind != 'f') return 0;
  if (width == "8") return kind == 'f' ? 0 : 8;
  if (width == "16") return 16;
  if (width == "32") return 32;
  if (width == "64") return 64;
  return 0;
}

}  // namespace ptx::parse
