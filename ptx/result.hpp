// What a function of this room returns when it can fail. A fault that a kernel commits is no Error
// but a Finding (ptx/finding.hpp): an Error is text that cannot be read, a form that is not
// executed, or a launch that contradicts its entry.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace ptx {

struct [[nodiscard]] Error {
  std::uint32_t line{};  // of the PTX text, from 1; 0 where no line is at fault
  std::string message;   // says the line and its text too

  bool operator==(const Error&) const = default;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(std::uint32_t line, std::string message) {
  return tl::make_unexpected(Error{line, std::move(message)});
}

}  // namespace ptx
