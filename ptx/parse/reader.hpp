// A place in a row of tokens, and what every part of the parser asks of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/parse/token.hpp"

namespace ptx::parse {

class Reader {
 public:
  Reader(std::string_view text, std::vector<Token> tokens)
      : text_(text), tokens_(std::move(tokens)) {}

  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& next() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  [[nodiscard]] bool at_end() const { return peek().kind == Token::Kind::end; }
  bool take(char mark) { return peek().is(mark) && (next(), true); }
  bool take(std::string_view word) { return peek().is(word) && (next(), true); }

  // Leaves out the rest of the line that the last token stands on.
  void skip_line(std::uint32_t line) {
    while (!at_end() && peek().line == line) next();
  }
  // Leaves out what lies between braces, from the opening one on.
  [[nodiscard]] bool skip_braces() {
    std::size_t depth = 0;
    do {
      const Token& token = next();
      if (token.kind == Token::Kind::end) return false;
      depth += token.is('{') ? 1U : 0U;
      depth -= token.is('}') ? 1U : 0U;
    } while (depth != 0);
    return true;
  }

  [[nodiscard]] std::string_view text_from(const Token& first) const {
    return text_.substr(first.begin, tokens_[at_ == 0 ? 0 : at_ - 1].end - first.begin);
  }
  [[nodiscard]] tl::unexpected<Error> expected(std::string_view what) const {
    const Token& token = peek();
    const std::string found = token.kind == Token::Kind::end ? "the end of the text"
                                                             : "'" + std::string{token.text} + "'";
    return fail(token.line, "expected " + std::string{what} + ", got " + found);
  }

  // An unsigned number: decimal, octal, 0x, 0b, with or without U.
  [[nodiscard]] Result<std::uint64_t> unsigned_number(std::string_view what);

 private:
  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

// The value of a number's text; nothing where it is none or needs more than 64 bits.
[[nodiscard]] std::optional<std::uint64_t> integer_of(std::string_view text);

// 8 for ".b8", ".u8", ".s8"; 16, 32, 64 likewise with .f; 1 for ".pred"; 0 for anything else.
[[nodiscard]] std::uint32_t bits_of_type(std::string_view directive);

}  // namespace ptx::parse
