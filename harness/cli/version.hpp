// What this build is; written by CMake.
#pragma once

#include <string_view>

namespace harness::cli {

std::string_view suite_version();  // "0.1.0"
std::string_view suite_commit();  // 40 hex digits, "-dirty" after them; "unknown" out of a checkout
std::string_view compiler();      // "GNU 12.2.0"
std::string_view build_type();    // "Release"

}  // namespace harness::cli
