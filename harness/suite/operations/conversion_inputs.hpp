// The inputs that a conversion is tested on.
#pragma once

#include <cstdint>
#include <vector>

#include "oracle/numbers/format_spec.hpp"

namespace harness {

// Ascending. Of a source of at most 8 bits every code. Of f32, in both signs: zero, every value of
// the destination, every midpoint between neighbours and from the largest value to the next one
// that it lacks, each with its two f32 neighbours and with the places half a bf16 and half an f16
// step away, where a conversion by way of those rounds twice; the ends of f32's own ranges; NaNs.
std::vector<std::uint32_t> conversion_inputs(const oracle::FormatSpec& source,
                                             const oracle::FormatSpec& destination);

}  // namespace harness
