// Numbers on the command line, read whole: what is no number, is not finite, or does not fit is an
// error that says what was expected, and never another number.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace harness::cli {

inline constexpr std::uint64_t largest_seed = INT64_MAX;

// Digits, of a number from `min` to `max`.
CLI::Validator whole_number(std::uint64_t min, std::uint64_t max);
// A finite number above 0, and from 0 on.
CLI::Validator positive_number();
CLI::Validator nonnegative_number();
// Bytes: digits, and a unit (kB, MB, GB, TB of thousands; KiB, MiB, GiB, TiB of 1024s; K, M, G, T
// mean the latter). Becomes the number of bytes, from 1 to 2^63 - 1.
CLI::Validator byte_count();

}  // namespace harness::cli
