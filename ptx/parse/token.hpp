// Cuts PTX text into words, numbers, strings and marks, each with its line. Comments are left out.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ptx/result.hpp"

namespace ptx::parse {

struct Token {
  enum class Kind : std::uint8_t { word, number, string, mark, end };

  Kind kind{Kind::end};
  std::string_view text;  // of a string without its quotes; of a mark one character
  std::uint32_t line{};
  std::uint32_t begin{};  // offset in the text, and of the first character behind it
  std::uint32_t end{};

  [[nodiscard]] bool is(char mark) const {
    return kind == Kind::mark && text.size() == 1 && text.front() == mark;
  }
  [[nodiscard]] bool is(std::string_view word) const { return kind == Kind::word && text == word; }
};

// The tokens of the text, with one of kind `end` behind them. A word is a name, a directive with
// its dot, or an opcode with all of its modifiers, as "ld.global.nc.L1::no_allocate.v2.u32".
[[nodiscard]] Result<std::vector<Token>> tokens(std::string_view text);

}  // namespace ptx::parse
