// The exit codes of every command: docs/design.md section 6.
#pragma once

namespace harness {

inline constexpr int exit_conforms = 0;
inline constexpr int exit_mismatch = 1;
inline constexpr int exit_usage = 2;  // bad usage or input
inline constexpr int exit_error = 3;  // a device or internal error
inline constexpr int exit_incomplete = 4;

}  // namespace harness
