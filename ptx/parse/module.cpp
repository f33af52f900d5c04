#include <algorithm>
#include <bit>

#include "ptx/parse/parser.hpp"

namespace ptx::parse {
namespace {

Result<Parameter> parameter(Reader& reader) {
  Parameter result;
  if (!reader.take(".param")) return reader.expected("'.param'");
  std::uint32_t alignment = 0;
  std::uint32_t bits = 0;
  // ".align 8 .b8 name[64]" and ".u64 .ptr .global .align 1 name": the latter is the pointee's.
  while (reader.peek().kind == Token::Kind::word && reader.peek().text.front() == '.') {
    const std::string_view word = reader.next().text;
    if (word == ".align") {
      const auto value = reader.unsigned_number("an alignment");
      if (!value) return tl::make_unexpected(value.error());
      if (!std::has_single_bit(*value) || *value > 4096)
        return reader.expected("a power of two as .align");
      if (!result.pointer) alignment = static_cast<std::uint32_t>(*value);
    } else if (word == ".ptr") {
      result.pointer = true;
    } else if (result.pointer && (word == ".global" || word == ".shared" || word == ".const")) {
      continue;
    } else if (bits == 0 && bits_of_type(word) >= 8) {
      bits = bits_of_type(word);
      result.type = std::string{word.substr(1)};
    } else {
      return fail(reader.peek().line, "'" + std::string{word} + "' is not expected in a parameter");
    }
  }
  if (bits == 0 || reader.peek().kind != Token::Kind::word) {
    return reader.expected("the type and the name of a parameter");
  }
  result.name = std::string{reader.next().text};
  result.bytes = bits / 8;
  if (reader.take('[')) {
    const auto count = reader.unsigned_number("a number of elements");
    if (!count) return tl::make_unexpected(count.error());
    if (*count == 0 || *count > 32764) return reader.expected("parameters of at most 32764 bytes");
    result.bytes *= static_cast<std::uint32_t>(*count);
    if (!reader.take(']')) return reader.expected("']'");
  }
  result.alignment = std::max(alignment, bits / 8);
  return result;
}

Result<bool> threads_of(Reader& reader, std::array<std::uint32_t, 3>& threads) {
  threads = {1, 1, 1};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto value = reader.unsigned_number("a number of threads");
    if (!value) return tl::make_unexpected(value.error());
    if (*value == 0 || *value > 1024) return reader.expected("1 to 1024 threads");
    threads[axis] = static_cast<std::uint32_t>(*value);
    if (!reader.take(',')) break;
  }
  return true;
}

Result<bool> directives(Reader& reader, Body& body) {
  while (!reader.peek().is('{')) {
    const Token token = reader.peek();
    if (reader.take(".reqntid") || reader.take(".maxntid")) {
      const auto read = threads_of(
          reader, token.is(".reqntid") ? body.entry.required_threads : body.entry.most_threads);
      if (!read) return read;
    } else if (reader.take(".minnctapersm") || reader.take(".maxnreg") ||
               reader.take(".maxnctapersm")) {
      const auto read = reader.unsigned_number("a number");  // how to compile, not what to do
      if (!read) return tl::make_unexpected(read.error());
    } else if (reader.take(".pragma")) {
      if (reader.next().kind != Token::Kind::string || !reader.take(';')) {
        return reader.expected("a string and ';' behind .pragma");
      }
    } else if (token.kind == Token::Kind::word && token.text.front() == '.') {
      body.cannot.push_back(
          {token.line, std::string{token.text}, "this directive is not executed"});
      reader.next();
      while (reader.peek().kind == Token::Kind::number || reader.peek().is(',')) reader.next();
    } else {
      return reader.expected("'{' of the entry");
    }
  }
  return true;
}

Result<bool> variable(Reader& reader, ModuleText& module, bool is_extern) {
  const Token token = reader.peek();
  if (!token.is(".shared") && !token.is(".global") && !token.is(".const")) {
    return reader.expected("a variable's state space");
  }
  reader.next();
  const Variable::Space space = token.is(".shared")   ? Variable::Space::shared
                                : token.is(".global") ? Variable::Space::global
                                                      : Variable::Space::constant;
  auto read = declaration(reader, space, is_extern);
  if (!read) return tl::make_unexpected(read.error());
  if (space != Variable::Space::shared) {
    if (is_extern) return fail(token.line, "an .extern variable has no memory here");
    std::uint64_t& used =
        space == Variable::Space::global ? module.global_bytes : module.constant_bytes;
    const auto placed = place(used, read->variable, token.line);
    if (!placed) return tl::make_unexpected(placed.error());
  }
  if (!module.variables.emplace(read->name, std::move(read->variable)).second && !is_extern) {
    return fail(token.line, "variable " + read->name + " is there twice");
  }
  return true;
}

Result<bool> item(Reader& reader, ModuleText& module) {
  const Token token = reader.peek();
  if (reader.take(".version")) {
    module.version = std::string{reader.next().text};
    reader.skip_line(token.line);
  } else if (reader.take(".target")) {
    module.target = std::string{reader.next().text};
    reader.skip_line(token.line);
  } else if (reader.take(".address_size")) {
    if (!reader.peek().is(".") && reader.peek().text != "64")
      return reader.expected("64-bit addresses");
    reader.next();
  } else if (reader.take(".file")) {
    const auto index = reader.unsigned_number("the number of a file");
    if (!index) return tl::make_unexpected(index.error());
    if (reader.peek().kind != Token::Kind::string) return reader.expected("the name of a file");
    module.files[static_cast<std::uint32_t>(*index)] = std::string{reader.next().text};
    reader.skip_line(token.line);
  } else if (reader.take(".section")) {
    reader.next();
    if (!reader.peek().is('{') || !reader.skip_braces())
      return reader.expected("'{' ... '}' of a section");
  } else if (reader.take(".pragma")) {
    if (reader.next().kind != Token::Kind::string || !reader.take(';')) {
      return reader.expected("a string and ';' behind .pragma");
    }
  } else if (reader.take(".entry")) {
    auto body = entry(reader, module);
    if (!body) return tl::make_unexpected(body.error());
    const auto same = [&](const Body& other) { return other.entry.name == body->entry.name; };
    if (std::any_of(module.bodies.begin(), module.bodies.end(), same)) {
      return fail(token.line, "entry " + body->entry.name + " is there twice");
    }
    module.bodies.push_back(std::move(*body));
  } else if (reader.take(".func") || reader.take(".alias")) {
    // Calls are not executed, so neither are their bodies.
    while (!reader.at_end() && !reader.peek().is('{') && !reader.peek().is(';')) reader.next();
    if (!reader.take(';') && !reader.skip_braces())
      return reader.expected("'{' ... '}' or ';' of a function");
  } else if (token.is(".shared") || token.is(".global") || token.is(".const")) {
    return variable(reader, module, false);
  } else {
    return reader.expected("a directive of a module");
  }
  return true;
}

}  // namespace

Result<Body> entry(Reader& reader, const ModuleText&) {
  Body body;
  body.line = reader.peek().line;
  if (reader.peek().kind != Token::Kind::word) return reader.expected("the name of an entry");
  body.entry.name = std::string{reader.next().text};
  if (reader.take('(') && !reader.take(')')) {
    do {
      auto read = parameter(reader);
      if (!read) return tl::make_unexpected(read.error());
      read->offset =
          (body.entry.parameter_bytes + read->alignment - 1) / read->alignment * read->alignment;
      body.entry.parameter_bytes = read->offset + read->bytes;
      if (body.entry.parameter_bytes > 32764)
        return reader.expected("parameters of at most 32764 bytes");
      body.entry.parameters.push_back(std::move(*read));
    } while (reader.take(','));
    if (!reader.take(')')) return reader.expected("')' behind the parameters");
  }
  const auto read = directives(reader, body);
  if (!read) return tl::make_unexpected(read.error());
  reader.next();
  const auto inside = statements(reader, body);
  if (!inside) return tl::make_unexpected(inside.error());
  body.entry.instructions = static_cast<std::uint32_t>(body.instructions.size());
  return body;
}

Result<ModuleText> read(std::string_view text) {
  auto cut = tokens(text);
  if (!cut) return tl::make_unexpected(cut.error());
  Reader reader(text, std::move(*cut));
  ModuleText module;
  while (!reader.at_end()) {
    bool is_extern = false;
    while (reader.peek().is(".visible") || reader.peek().is(".weak") ||
           reader.peek().is(".extern") || reader.peek().is(".common")) {
      is_extern = reader.next().is(".extern") || is_extern;
    }
    const auto read = is_extern && !reader.peek().is(".func") ? variable(reader, module, true)
                                                              : item(reader, module);
    if (!read) return tl::make_unexpected(read.error());
    if (module.version.empty()) return fail(1, "expected '.version' as the first directive");
  }
  if (module.version.empty())
    return fail(1, "expected '.version' as the first directive, got no text");
  return module;
}

}  // namespace ptx::parse
