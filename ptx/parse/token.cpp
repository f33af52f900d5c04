#include "ptx/parse/token.hpp"

#include <limits>
#include <string>

namespace ptx::parse {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%' ||
         c == '.';
}
bool goes_on(char c) { return begins_word(c) || is_digit(c); }

class Cutter {
 public:
  explicit Cutter(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> run() {
    for (;;) {
      const auto skipped = skip_blanks();
      if (!skipped) return tl::make_unexpected(skipped.error());
      if (at_ == text_.size()) break;
      const std::size_t begin = at_;
      const char c = text_[at_];
      Token::Kind kind = Token::Kind::mark;
      if (begins_word(c)) {
        kind = Token::Kind::word;
        while (at_ < text_.size() && (goes_on(text_[at_]) || in_double_colon())) ++at_;
      } else if (is_digit(c)) {
        kind = Token::Kind::number;
        while (at_ < text_.size() && goes_on(text_[at_])) ++at_;
      } else if (c == '"') {
        const std::size_t close = text_.find_first_of("\"\n", at_ + 1);
        if (close == std::string_view::npos || text_[close] == '\n') {
          return fail(line_, "a string is not closed on its line");
        }
        at_ = close + 1;
        push(Token::Kind::string, begin, text_.substr(begin + 1, close - begin - 1));
        continue;
      } else if (std::string_view{"{}[](),;:@!|+-*/=<>&?~"}.find(c) != std::string_view::npos) {
        ++at_;
      } else {
        return fail(line_, "character " + std::to_string(static_cast<unsigned char>(c)) +
                               " is not expected in PTX");
      }
      push(kind, begin, text_.substr(begin, at_ - begin));
    }
    push(Token::Kind::end, at_, {});
    return std::move(tokens_);
  }

 private:
  // The two colons within "L1::no_allocate"; one colon alone ends a label.
  bool in_double_colon() {
    if (text_[at_] != ':' || at_ + 2 >= text_.size() || text_[at_ + 1] != ':' ||
        !goes_on(text_[at_ + 2])) {
      return false;
    }
    ++at_;
    return true;
  }

  Result<bool> skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r' || (c == '\0' && at_ + 1 == text_.size())) {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (text_.substr(at_, 2) == "/*") {
        const std::size_t close = text_.find("*/", at_ + 2);
        if (close == std::string_view::npos) return fail(line_, "a comment is not closed");
        for (; at_ < close + 2; ++at_) line_ += text_[at_] == '\n' ? 1U : 0U;
      } else {
        break;
      }
    }
    return true;
  }

  void push(Token::Kind kind, std::size_t begin, std::string_view text) {
    tokens_.push_back(
        {kind, text, line_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

Result<std::vector<Token>> tokens(std::string_view text) {
  if (text.size() >= std::numeric_limits<std::uint32_t>::max()) {
    return fail(0,
                "the text has " + std::to_string(text.size()) + " bytes; at most 4 GiB are read");
  }
  return Cutter(text).run();
}

}  // namespace ptx::parse
