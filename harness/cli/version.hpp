// What this build is; written by CMake.
#pragma once

#include <string_view>

namespace harness::cli {

std::string_view suite_version();  // "0.1.0"
std::string_view suite_commit();  // 40 hex digits, "-dirty" after them; "unknown" out of a checkout
std::string_view compiler();      // "GNU 12.2.0"
std::string_view build_type();    // "Release"
// SHA-256 of the manifest of the golden vectors in the source tree; empty without one.
std::string_view vectors_sha256();

}  // namespace harness::cli
