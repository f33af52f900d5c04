// What a library function of this project returns when it can fail: Result<T> is a value or an
// Error. Bad data is a returned error; a broken precondition is an assertion. C++20 lacks
// std::expected, so this is tl::expected.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace oracle {

enum class ErrorCode : std::uint8_t {
  invalid_argument,   // an argument that contradicts itself or another
  unknown_name,       // no format, profile, operation or layout has this name
  not_representable,  // the format has no code that could answer: infinity of e2m1, zero of e8m0
  wrong_dtype,
  wrong_shape,
  wrong_stride,
  out_of_range,   // an index or identifier outside its bounds
  too_small,      // a buffer that cannot hold what was asked
  malformed,      // a file or text that breaks its format (harness)
  io_error,       // the system refused to open, read or write (harness)
  device_absent,  // a device or a runtime that this machine does not have (harness)
  device_error,   // a runtime call or a launch failed, the device can be used again (harness)
  device_lost,    // after it the runtime refuses everything in this process (harness)
  out_of_memory,  // on a device (harness)
};

struct [[nodiscard]] Error {
  ErrorCode code{};
  std::string message;  // operation, place, expected, actual

  bool operator==(const Error&) const = default;
};

// tl::expected is [[nodiscard]] neither as a class nor here: an alias cannot carry the attribute.
// Functions that return a Result are marked themselves.
template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::make_unexpected(Error{code, std::move(message)});
}

}  // namespace oracle
