#include <algorithm>
#include <bit>

#include "ptx/parse/parser.hpp"

namespace ptx::parse {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20U;  // of one variable

Result<bool> values(Reader& reader, std::uint32_t element_bytes, Variable& variable) {
  if (reader.take('{')) {
    do {
      const auto part = values(reader, element_bytes, variable);
      if (!part) return part;
    } while (reader.take(','));
    if (!reader.take('}')) return reader.expected("'}' behind initial values");
    return true;
  }
  const bool minus = reader.take('-');
  const Token token = reader.peek();
  std::uint64_t bits = 0;
  if (token.text.size() == 10 &&
      (token.text.substr(0, 2) == "0f" || token.text.substr(0, 2) == "0F")) {
    const auto value = integer_of("0x" + std::string{token.text.substr(2)});
    if (!value) return reader.expected("8 hexadecimal digits after 0f");
    bits = *value ^ (minus ? 0x8000'0000U : 0U);
    reader.next();
  } else {
    const auto value =
        reader.unsigned_number("a number (addresses in initial values are not read)");
    if (!value) return tl::make_unexpected(value.error());
    bits = minus ? 0 - *value : *value;
  }
  for (std::uint32_t i = 0; i < element_bytes; ++i) {
    variable.values.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
  }
  if (variable.values.size() > variable.bytes && !variable.dynamic) {
    return reader.expected("no more initial values than elements");
  }
  return true;
}

}  // namespace

Result<std::uint64_t> place(std::uint64_t& used, Variable& variable, std::uint32_t line) {
  const std::uint64_t mask = variable.alignment - 1;
  variable.offset = (used + mask) & ~mask;
  if (variable.offset + variable.bytes > most_bytes) {
    return fail(line, "variables take more than " + std::to_string(most_bytes) + " bytes");
  }
  used = variable.offset + variable.bytes;
  return variable.offset;
}

Result<Declaration> declaration(Reader& reader, Variable::Space space, bool is_extern) {
  Declaration result;
  Variable& variable = result.variable;
  variable.space = space;
  std::uint32_t alignment = 0;
  while (reader.peek().is(".align") || reader.peek().is(".attribute")) {
    if (!reader.take(".align")) return reader.expected("no .attribute");
    const auto value = reader.unsigned_number("an alignment");
    if (!value) return tl::make_unexpected(value.error());
    if (!std::has_single_bit(*value) || *value > 4096)
      return reader.expected("a power of two as .align");
    alignment = static_cast<std::uint32_t>(*value);
  }
  const std::uint32_t bits = bits_of_type(reader.peek().text);
  if (bits < 8) return reader.expected("the type of a variable");
  reader.next();
  const std::uint32_t element_bytes = bits / 8;
  variable.alignment = std::max(alignment, element_bytes);
  if (reader.peek().kind != Token::Kind::word) return reader.expected("the name of a variable");
  result.name = std::string{reader.next().text};
  std::uint64_t elements = 1;
  bool open = false;
  while (reader.take('[')) {
    if (reader.take(']')) {
      open = true;
      continue;
    }
    const auto count = reader.unsigned_number("a number of elements");
    if (!count) return tl::make_unexpected(count.error());
    if (*count > most_bytes || elements * *count * element_bytes > most_bytes) {
      return reader.expected("a variable of at most " + std::to_string(most_bytes) + " bytes");
    }
    elements *= *count;
    if (!reader.take(']')) return reader.expected("']'");
  }
  variable.bytes = open ? 0 : elements * element_bytes;
  variable.dynamic = open;
  if (open && (!is_extern || space != Variable::Space::shared) && !reader.peek().is('=')) {
    return reader.expected("a size: only .extern .shared may have none");
  }
  if (reader.take('=')) {
    if (space == Variable::Space::shared)
      return reader.expected("no initial values of shared memory");
    const auto read = values(reader, element_bytes, variable);
    if (!read) return tl::make_unexpected(read.error());
    if (open) variable.bytes = variable.values.size();
    variable.dynamic = false;
  }
  if (!reader.take(';')) return reader.expected("';' behind the variable");
  return result;
}

}  // namespace ptx::parse
