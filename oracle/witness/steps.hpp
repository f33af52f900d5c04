// The codes of all f32 of one sign, as the few places where the code changes: what a sweep over
// 2^32 inputs compares with. The places are found by bisection with `nearest`, which relies on
// rounding being monotone; a sweep would find any input where that, or the oracle, is wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "oracle/witness/nearest.hpp"

namespace witness {

struct Run {
  std::uint32_t first_f32;  // bits; the run lasts until the next one's first
  std::uint32_t code;
};

// Runs of equal codes over the f32 bits sign|00000000 .. sign|7f800000 (zero to infinity),
// ascending. The mode and overflow must have an answer for all of them in that format.
std::vector<Run> runs_over_f32(Format format, bool negative, Mode mode, Beyond beyond);

}  // namespace witness
