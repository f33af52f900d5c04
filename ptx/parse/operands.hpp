// Reads the operands of one instruction.
#pragma once

#include "ptx/parse/names.hpp"
#include "ptx/parse/reader.hpp"

namespace ptx::parse {

// What stands before the next comma, semicolon or closing bracket.
[[nodiscard]] Result<Operand> operand(Reader& reader, Names& names);

}  // namespace ptx::parse
