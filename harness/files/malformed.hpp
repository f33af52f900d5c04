// How a reader refuses bytes that are not what their format says.
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "harness/model/result.hpp"

namespace harness {

// `source` is where: a file, and the place in it. `what` says what was expected and what was there.
inline tl::unexpected<Error> malformed(std::string_view source, std::string_view what) {
  return oracle::fail(ErrorCode::malformed, fmt::format("{}: {}", source, what));
}

}  // namespace harness
