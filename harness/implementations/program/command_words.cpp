#include "harness/implementations/program/command_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace harness {
namespace {

constexpr std::string_view blanks = " \t";
constexpr std::string_view special = "|&;<>()$`*?[\n";
constexpr std::string_view special_at_the_start_of_a_word = "~#";
constexpr std::string_view special_in_double_quotes = "$`";
constexpr std::string_view escaped_in_double_quotes = "\"\\$`";

bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

tl::unexpected<Error> error(const std::string& what) {
  return oracle::fail(ErrorCode::invalid_argument, what);
}

tl::unexpected<Error> shell_needed(std::string_view what) {
  return error(
      fmt::format("no shell reads the command, and {} would need one: quote it, or write "
                  "sh -c '...'",
                  what));
}

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  Result<std::vector<std::string>> split() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      Status status;
      if (is_one_of(c, blanks)) {
        end_word();
        ++at_;
      } else if (c == '\'') {
        status = single_quotes();
      } else if (c == '"') {
        status = double_quotes();
      } else if (c == '\\') {
        status = backslash();
      } else {
        status = plain(c);
      }
      if (!status) return tl::make_unexpected(status.error());
    }
    end_word();
    if (words_.empty()) return error("the command is empty");
    return std::move(words_);
  }

 private:
  Status single_quotes() {
    const std::size_t end = text_.find('\'', at_ + 1);
    if (end == std::string_view::npos) return error("the command has an open '");
    add(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return {};
  }

  Status double_quotes() {
    add("");
    for (++at_; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (c == '"') {
        ++at_;
        return {};
      }
      if (is_one_of(c, special_in_double_quotes)) return shell_needed(fmt::format("'{}'", c));
      const bool escapes = c == '\\' && at_ + 1 < text_.size() &&
                           is_one_of(text_[at_ + 1], escaped_in_double_quotes);
      if (escapes) c = text_[++at_];
      word_ += c;
    }
    return error("the command has an open \"");
  }

  Status backslash() {
    if (at_ + 1 == text_.size()) return error("the command ends with a backslash");
    add(text_.substr(at_ + 1, 1));
    at_ += 2;
    return {};
  }

  Status plain(char c) {
    const bool first = !in_word_;
    if (is_one_of(c, special) || (first && is_one_of(c, special_at_the_start_of_a_word))) {
      return shell_needed(c == '\n' ? "a second line" : fmt::format("'{}'", c));
    }
    if (c == '=' && words_.empty() && in_word_ && word_.find('/') == std::string::npos) {
      return error(
          fmt::format("no shell reads the command: write env {}=... before the program", word_));
    }
    add(text_.substr(at_, 1));
    ++at_;
    return {};
  }

  void add(std::string_view text) {
    in_word_ = true;
    word_ += text;
  }

  void end_word() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string> words_;
  std::string word_;
  bool in_word_ = false;  // "" is a word too
};

bool has(const std::vector<std::string>& words, std::string_view what) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word.find(what) != std::string::npos; });
}

void replace(std::vector<std::string>& words, std::string_view what, const std::string& with) {
  for (std::string& word : words) {
    for (std::size_t at = 0; (at = word.find(what, at)) != std::string::npos; at += with.size()) {
      word.replace(at, what.size(), with);
    }
  }
}

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view command) {
  return Splitter(command).split();
}

bool serves(const std::vector<std::string>& words) { return has(words, "{serve}"); }

Result<std::vector<std::string>> serving_words(std::vector<std::string> words) {
  for (const char* path : {"{in}", "{out}"}) {
    if (!has(words, path)) continue;
    return error(
        fmt::format("the command has {} beside {{serve}}: one that stays is told paths "
                    "on its input",
                    path));
  }
  replace(words, "{serve}", "--serve");
  return words;
}

Result<std::vector<std::string>> with_paths(std::vector<std::string> words, const std::string& in,
                                            const std::string& out) {
  const bool has_in = has(words, "{in}");
  const bool has_out = has(words, "{out}");
  if (has_in != has_out) {
    return error(
        fmt::format("the command has {} and not {}; expected both, or neither, and both "
                    "paths are appended",
                    has_in ? "{in}" : "{out}", has_in ? "{out}" : "{in}"));
  }
  if (!has_in) {
    words.insert(words.end(), {in, out});
    return words;
  }
  replace(words, "{in}", in);
  replace(words, "{out}", out);
  return words;
}

}  // namespace harness
