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
// What arithmetic may depend on: of the host's compiler, and of nvcc and hipcc.
std::string_view host_flags();    // "-O3 -DNDEBUG -std=c++20 -ffp-contract=off"
std::string_view device_flags();  // "-std=c++20 -O3"

}  // namespace harness::cli
