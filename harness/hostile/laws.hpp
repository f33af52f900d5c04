// How a target states what must hold of any input. A law that does not hold is an exception:
// libFuzzer reports it as a crash with its text, the replay test as a failure of that file.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "harness/model/result.hpp"

namespace harness::hostile {

using Bytes = std::span<const std::uint8_t>;

class BrokenLaw : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// What the targets call their input where a parser wants a name for its errors.
inline constexpr std::string_view source = "<hostile>";

inline void law(bool holds, const std::string& text) {
  if (!holds) throw BrokenLaw(text);
}

// True for what a parser accepted. Law: a refusal says why, and names `place`.
template <class T>
bool accepted(const Result<T>& result, std::string_view place = source) {
  if (result) return true;
  law(!result.error().message.empty(), "an error has a message");
  law(result.error().message.find(place) != std::string::npos,
      fmt::format("an error names \"{}\": {}", place, result.error().message));
  return false;
}

// The value of a result that must not be an error.
template <class T>
T must(Result<T> result, std::string_view what) {
  if (!result) throw BrokenLaw(fmt::format("{}: {}", what, result.error().message));
  return std::move(*result);
}

inline std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Inputs that feed two parsers, or a parser and a choice: the text up to the first line feed, and
// what follows it.
struct HeadAndBody {
  std::string_view head;
  Bytes body;
};
inline HeadAndBody split(Bytes bytes) {
  const std::string_view text = text_of(bytes);
  const std::size_t end = std::min(text.find('\n'), text.size());
  return {text.substr(0, end), bytes.subspan(std::min(end + 1, bytes.size()))};
}

}  // namespace harness::hostile
