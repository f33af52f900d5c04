#include <algorithm>

#include "ptx/parse/operands.hpp"
#include "ptx/parse/parser.hpp"

namespace ptx::parse {
namespace {

constexpr std::size_t deepest = 64;  // scopes within each other
constexpr std::size_t most_instructions = 4'000'000;

Result<bool> registers(Reader& reader, Names& names) {
  const std::uint32_t bits = bits_of_type(reader.peek().text);
  if (bits == 0) return reader.expected("the type of a register (8 to 64 bits, or .pred)");
  reader.next();
  do {
    const Token name = reader.peek();
    if (name.kind != Token::Kind::word) return reader.expected("the name of a register");
    reader.next();
    std::optional<std::uint32_t> count;
    if (reader.take('<')) {
      const auto value = reader.unsigned_number("a number of registers");
      if (!value) return tl::make_unexpected(value.error());
      count = static_cast<std::uint32_t>(std::min<std::uint64_t>(*value, 0xffff'ffffU));
      if (!reader.take('>')) return reader.expected("'>'");
    }
    if (!names.declare(name.text, count, bits)) {
      return fail(name.line,
                  "register " + std::string{name.text} + " is declared twice in one scope");
    }
  } while (reader.take(','));
  if (!reader.take(';')) return reader.expected("';' behind registers");
  return true;
}

Result<bool> skip_statement(Reader& reader, Body& body, std::string_view reason) {
  const Token first = reader.peek();
  while (!reader.at_end() && !reader.peek().is(';') && !reader.peek().is('}')) reader.next();
  body.cannot.push_back({first.line, std::string{reader.text_from(first)}, std::string{reason}});
  if (!reader.take(';')) return reader.expected("';'");
  return true;
}

Result<bool> directive(Reader& reader, Body& body, Names& names, Location& location) {
  const Token token = reader.peek();
  if (reader.take(".reg")) return registers(reader, names);
  if (reader.take(".shared")) {
    auto read = declaration(reader, Variable::Space::shared, false);
    if (!read) return tl::make_unexpected(read.error());
    std::uint64_t used = body.entry.shared_bytes;
    const auto placed = place(used, read->variable, token.line);
    if (!placed) return tl::make_unexpected(placed.error());
    body.entry.shared_bytes = static_cast<std::uint32_t>(used);
    body.scopes[names.scope()].variables.emplace(std::move(read->name), std::move(read->variable));
    return true;
  }
  if (reader.take(".loc")) {
    const auto file = reader.unsigned_number("the number of a file");
    if (!file) return tl::make_unexpected(file.error());
    const auto line = reader.unsigned_number("the number of a line");
    if (!line) return tl::make_unexpected(line.error());
    location = {static_cast<std::uint32_t>(*file), static_cast<std::uint32_t>(*line)};
    reader.skip_line(token.line);
    return true;
  }
  if (reader.take(".pragma")) {
    if (reader.next().kind != Token::Kind::string || !reader.take(';')) {
      return reader.expected("a string and ';' behind .pragma");
    }
    return true;
  }
  if (token.is(".local")) return skip_statement(reader, body, "local memory is not executed");
  if (token.is(".param")) return skip_statement(reader, body, "calls are not executed");
  return skip_statement(reader, body, "this directive is not executed");
}

Result<bool> instruction(Reader& reader, Body& body, Names& names, const Location& location) {
  const Token first = reader.peek();
  Instruction result;
  result.line = first.line;
  result.source_file = location.file;
  result.source_line = location.line;
  result.scope = names.scope();
  if (reader.take('@')) {
    result.guarded = true;
    result.guard_negated = reader.take('!');
    const Token guard = reader.peek();
    const auto found = guard.kind == Token::Kind::word ? names.find(guard.text) : std::nullopt;
    if (!found || body.registers[*found].bits != 1)
      return reader.expected("a predicate register behind '@'");
    reader.next();
    result.guard = *found;
  }
  if (reader.peek().kind != Token::Kind::word) return reader.expected("an instruction");
  result.opcode = reader.next().text;
  if (result.opcode.starts_with("call") || result.opcode == "brx.idx" ||
      result.opcode == "brx.idx.uni") {
    while (!reader.at_end() && !reader.peek().is(';')) reader.next();
  } else if (!reader.peek().is(';')) {
    do {
      auto read = operand(reader, names);
      if (!read) return tl::make_unexpected(read.error());
      result.operands.push_back(std::move(*read));
      if (result.operands.size() > 16) return reader.expected("at most 16 operands");
    } while (reader.take(','));
  }
  if (!reader.take(';')) return reader.expected("',' or ';' behind an operand");
  result.text = reader.text_from(first);
  if (body.instructions.size() == most_instructions) {
    return fail(first.line, "more than " + std::to_string(most_instructions) + " instructions");
  }
  body.instructions.push_back(std::move(result));
  return true;
}

}  // namespace

Result<bool> statements(Reader& reader, Body& body) {
  Names names(body);
  Location location;
  for (;;) {
    const Token token = reader.peek();
    if (token.kind == Token::Kind::end) return reader.expected("'}' at the end of the entry");
    if (reader.take('}')) {
      if (!names.close()) return true;
    } else if (reader.take('{')) {
      if (names.depth() == deepest) return reader.expected("at most 64 scopes within each other");
      names.open();
    } else if (reader.take(';')) {
      continue;
    } else if (token.kind == Token::Kind::word && reader.peek(1).is(':')) {
      reader.next();
      reader.next();
      const auto at = static_cast<std::uint32_t>(body.instructions.size());
      if (!body.scopes[names.scope()].labels.emplace(std::string{token.text}, at).second) {
        return fail(token.line,
                    "label " + std::string{token.text} + " is there twice in one scope");
      }
    } else {
      const auto read = token.kind == Token::Kind::word && token.text.front() == '.'
                            ? directive(reader, body, names, location)
                            : instruction(reader, body, names, location);
      if (!read) return read;
    }
  }
}

}  // namespace ptx::parse
