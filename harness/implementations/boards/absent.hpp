#pragma once

#include <string>

namespace harness {

// What stands in the place of a value that cannot be had.
inline std::string not_available(const std::string& why) { return "not available: " + why; }

}  // namespace harness
