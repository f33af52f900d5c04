// What a PTX module says, with names of registers, labels and variables resolved and nothing
// decoded.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/ptx.hpp"

namespace ptx::parse {

struct Register {
  std::string name;      // "%r17"
  std::uint32_t bits{};  // 8, 16, 32, 64; 1 is a predicate
};

struct Operand {
  enum class Kind : std::uint8_t {
    reg,
    integer,   // value, sign-extended
    floating,  // value: the bits of an f32
    floating_double,
    name,    // a special register, a variable, a parameter or a label
    memory,  // [parts[0] + offset]
    vector,  // {parts}
    pair,    // parts[0]|parts[1]
    sink,    // _
  };

  Kind kind{Kind::sink};
  bool negated{};  // !p
  std::uint32_t reg{};
  std::uint64_t value{};
  std::int64_t offset{};
  std::string name;
  std::vector<Operand> parts;
};

struct Instruction {
  std::uint32_t line{};
  std::string_view text;  // as written, with its guard
  std::string_view opcode;
  bool guarded{};
  bool guard_negated{};
  std::uint32_t guard{};  // a register
  std::vector<Operand> operands;
  std::uint32_t scope{};  // of its labels
  std::uint32_t source_file{};
  std::uint32_t source_line{};  // 0 without .loc
};

struct Variable {
  enum class Space : std::uint8_t { shared, global, constant };

  Space space{};
  std::uint32_t alignment{};
  std::uint64_t bytes{};
  bool dynamic{};                    // .extern .shared name[]
  std::uint64_t offset{};            // in its space
  std::vector<std::uint8_t> values;  // initial bytes; the rest is zero
};

struct Scope {
  std::uint32_t parent{};
  std::map<std::string, std::uint32_t, std::less<>> labels;  // index of an instruction
  std::map<std::string, Variable, std::less<>> variables;    // shared ones, and aliases by name
};

struct Body {
  Entry entry;  // without lacks
  std::uint32_t line{};
  std::vector<Register> registers;  // those that are named somewhere
  std::vector<Instruction> instructions;
  std::vector<Scope> scopes;  // [0] is the entry's
  std::vector<Lack> cannot;   // declarations that are not executed
};

struct ModuleText {
  std::string version;
  std::string target;
  std::map<std::uint32_t, std::string> files;
  std::map<std::string, Variable, std::less<>> variables;
  std::uint64_t global_bytes{};
  std::uint64_t constant_bytes{};
  std::vector<Body> bodies;
};

// Reads the whole text, which must outlive the result. An Error names the line and what was
// expected.
[[nodiscard]] Result<ModuleText> read(std::string_view text);

}  // namespace ptx::parse
