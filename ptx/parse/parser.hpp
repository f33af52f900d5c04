// The parser's parts; ptx/parse/syntax.hpp says what comes out.
#pragma once

#include "ptx/parse/names.hpp"
#include "ptx/parse/reader.hpp"
#include "ptx/parse/syntax.hpp"

namespace ptx::parse {

// What .loc said last.
struct Location {
  std::uint32_t file{};
  std::uint32_t line{};
};

// A variable from behind its state space to its semicolon: ".align 16 .b8 name[64] = {1, 2};".
struct Declaration {
  std::string name;
  Variable variable;
};
[[nodiscard]] Result<Declaration> declaration(Reader& reader, Variable::Space space,
                                              bool is_extern);

// Places a variable behind the others of its space.
[[nodiscard]] Result<std::uint64_t> place(std::uint64_t& used, Variable& variable,
                                          std::uint32_t line);

// ".entry name(...) directives { ... }", from the name on.
[[nodiscard]] Result<Body> entry(Reader& reader, const ModuleText& module);

// What lies between the braces of an entry.
[[nodiscard]] Result<bool> statements(Reader& reader, Body& body);

}  // namespace ptx::parse
