#include "harness/results/records/abridged_record.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace harness {
namespace {

using Place = std::size_t;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Goes over JSON without understanding it: strings are skipped, brackets counted.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool ended() const { return at_ >= text_.size(); }
  char here() const { return text_[at_]; }
  Place place() const { return at_; }
  void step() { ++at_; }

  void skip_spaces() {
    while (!ended() && is_space(here())) step();
  }

  // Precondition: a string begins here. Its contents as they are written; the scanner is behind it.
  std::string_view take_string() {
    const Place first = at_ + 1;
    for (Place quote = text_.find('"', first); quote != std::string_view::npos;
         quote = text_.find('"', quote + 1)) {
      Place before = quote;
      while (before > first && text_[before - 1] == '\\') --before;
      if ((quote - before) % 2 != 0) continue;
      at_ = quote + 1;
      return text_.substr(first, quote - first);
    }
    at_ = text_.size();
    return {};
  }

  // Behind the value that begins here.
  void skip_value() {
    std::size_t depth = 0;
    while (!ended()) {
      const char c = here();
      if (c == '"') {
        static_cast<void>(take_string());
      } else if (c == '{' || c == '[') {
        ++depth;
        step();
      } else if (c == '}' || c == ']') {
        if (depth == 0) return;
        --depth;
        step();
      } else if (depth == 0 && (c == ',' || is_space(c))) {
        return;
      } else {
        step();
        continue;
      }
      if (depth == 0) return;
    }
  }

  // Calls `member` with the name and the place of the comma or brace before it, at the value's
  // beginning; it has to come behind the value. False where this is no object of members.
  template <class Member>
  bool each_member(const Member& member) {
    if (ended() || here() != '{') return false;
    do {
      const Place before = place();
      step();
      skip_spaces();
      if (ended() || here() != '"') return !ended() && here() == '}';
      const std::string_view name = take_string();
      skip_spaces();
      if (ended() || here() != ':') return false;
      step();
      skip_spaces();
      if (!member(name, before)) return false;
      skip_spaces();
    } while (!ended() && here() == ',');
    return !ended() && here() == '}';
  }

 private:
  std::string_view text_;
  Place at_ = 0;
};

using Cut = std::pair<Place, Place>;  // [first, last)

// What is behind the first `keep` elements of the array that begins here; none where nothing is.
// The scanner comes behind the array.
std::optional<Cut> cut_of_array(Scanner& scanner, std::size_t keep) {
  std::optional<Place> from;
  scanner.step();
  scanner.skip_spaces();
  if (keep == 0) from = scanner.place();
  for (std::size_t element = 0; !scanner.ended() && scanner.here() != ']'; ++element) {
    if (element != 0) {
      if (scanner.here() != ',') return std::nullopt;
      if (element == keep) from = scanner.place();
      scanner.step();
      scanner.skip_spaces();
    }
    const Place before = scanner.place();
    scanner.skip_value();
    if (scanner.place() == before) return std::nullopt;
    scanner.skip_spaces();
  }
  if (scanner.ended()) return std::nullopt;
  const Place close = scanner.place();
  scanner.step();
  if (!from || *from == close) return std::nullopt;
  return Cut{*from, close};
}

}  // namespace

RecordDetail detail_kept(std::size_t mismatches_before) {
  constexpr std::size_t whole = 200;
  constexpr std::size_t short_lists = 2000;
  constexpr std::size_t in_the_page = 5000;
  return {mismatches_before < whole         ? std::size_t{64}
          : mismatches_before < short_lists ? std::size_t{8}
          : mismatches_before < in_the_page ? std::size_t{2}
                                            : std::size_t{1},
          mismatches_before < in_the_page};
}

void abridge_record(std::string& text, const RecordDetail& detail) {
  if (detail == RecordDetail{}) return;
  std::vector<Cut> cuts;
  Scanner scanner(text);
  scanner.skip_spaces();
  const auto in_diagnosis = [&](std::string_view name, Place before) {
    if (name == "first" && !scanner.ended() && scanner.here() == '[') {
      if (const auto cut = cut_of_array(scanner, detail.mismatches)) cuts.push_back(*cut);
      return true;
    }
    scanner.skip_value();
    // It is not the first member, so that the comma before it goes with it.
    if (name == "wrong_map" && !detail.wrong_map && text[before] == ',') {
      cuts.emplace_back(before, scanner.place());
    }
    return true;
  };
  const bool whole = scanner.each_member([&](std::string_view name, Place) {
    if (name == "diagnosis") {
      const bool read = scanner.each_member(in_diagnosis);
      if (read) scanner.step();
      return read;
    }
    scanner.skip_value();
    return true;
  });
  if (!whole) return;
  for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) {
    text.erase(cut->first, cut->second - cut->first);
  }
}

}  // namespace harness
