#include "ptx/parse/operands.hpp"

#include <bit>
#include <charconv>

namespace ptx::parse {
namespace {

Result<Operand> number(Reader& reader, bool minus) {
  const Token token = reader.peek();
  Operand result;
  const std::string_view text = token.text;
  if (text.size() > 2 && text[0] == '0' &&
      std::string_view{"fFdD"}.find(text[1]) != std::string_view::npos) {
    const bool is_double = text[1] == 'd' || text[1] == 'D';
    const std::string_view digits = text.substr(2);
    const auto read =
        std::from_chars(digits.data(), digits.data() + digits.size(), result.value, 16);
    if (digits.size() != (is_double ? 16U : 8U) || read.ptr != digits.data() + digits.size()) {
      return reader.expected("8 hexadecimal digits after 0f, or 16 after 0d");
    }
    result.kind = is_double ? Operand::Kind::floating_double : Operand::Kind::floating;
    if (minus) result.value ^= std::uint64_t{1} << (is_double ? 63U : 31U);
  } else if (text.find('.') != std::string_view::npos) {
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size())
      return reader.expected("a number");
    result.kind = Operand::Kind::floating_double;
    result.value = std::bit_cast<std::uint64_t>(minus ? -value : value);
  } else {
    const auto value = integer_of(text);
    if (!value) return reader.expected("a number");
    result.kind = Operand::Kind::integer;
    result.value = minus ? 0 - *value : *value;
  }
  reader.next();
  return result;
}

Result<Operand> one(Reader& reader, Names& names) {
  if (reader.take('-')) return number(reader, true);
  const Token token = reader.peek();
  if (token.kind == Token::Kind::number) return number(reader, false);
  if (token.kind != Token::Kind::word) return reader.expected("an operand");
  reader.next();
  Operand result;
  if (token.text == "_") return result;
  if (const auto found = names.find(token.text)) {
    result.kind = Operand::Kind::reg;
    result.reg = *found;
  } else {
    result.kind = Operand::Kind::name;
  }
  result.name = std::string{token.text};
  return result;
}

Result<Operand> memory(Reader& reader, Names& names) {
  Operand result;
  result.kind = Operand::Kind::memory;
  auto base = one(reader, names);
  if (!base) return base;
  result.parts.push_back(std::move(*base));
  while (reader.peek().is('+') || reader.peek().is('-')) {
    const bool minus = reader.next().is('-') != reader.take('-');
    const auto value = reader.unsigned_number("an offset in bytes");
    if (!value) return tl::make_unexpected(value.error());
    if (*value > 0xffff'ffffU) return reader.expected("an offset of at most 32 bits");
    result.offset += minus ? -static_cast<std::int64_t>(*value) : static_cast<std::int64_t>(*value);
  }
  if (!reader.take(']')) return reader.expected("']'");
  return result;
}

Result<Operand> vector(Reader& reader, Names& names) {
  Operand result;
  result.kind = Operand::Kind::vector;
  do {
    auto element = one(reader, names);
    if (!element) return element;
    result.parts.push_back(std::move(*element));
    if (result.parts.size() > 8) return reader.expected("at most 8 elements");
  } while (reader.take(','));
  if (!reader.take('}')) return reader.expected("'}'");
  return result;
}

}  // namespace

Result<Operand> operand(Reader& reader, Names& names) {
  if (reader.take('[')) return memory(reader, names);
  if (reader.take('{')) return vector(reader, names);
  const bool negated = reader.take('!');
  auto result = one(reader, names);
  if (!result) return result;
  result->negated = negated;
  if (!reader.take('|')) return result;
  auto second = one(reader, names);
  if (!second) return second;
  Operand both;
  both.kind = Operand::Kind::pair;
  both.parts = {std::move(*result), std::move(*second)};
  return both;
}

}  // namespace ptx::parse
