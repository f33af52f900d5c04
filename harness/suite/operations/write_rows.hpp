// The rows that writers are given: blocks of elements at which rules of scale and rounding part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/suite/operations/write_spec.hpp"

namespace harness {

// One scale block as f32 bits; narrower sources take the nearest value.
using Block = std::vector<std::uint32_t>;

// The recipes of a layout, in order: zeros, -0, NaN, infinity, subnormals; amax at powers of two,
// at 1.5, 1.75 and 6 times them and one ulp beside; amax past what the largest scale holds; every
// e2m1 midpoint and its neighbours under several scales; the amax for which amax / 6 and amax *
// RN(1/6) give two scales, and the elements for which x / s and x * RN(1/s) give two codes.
std::span<const Block> recipes(const oracle::PageLayout& layout);

// Writes the elements of row `number` of a spec's contents to the front of `to`, in its dtype.
void write_row(const oracle::PageLayout& layout, const WriteSpec& spec, std::int64_t number,
               std::span<std::uint8_t> to);

// The f32 bits of element `i` of stored elements.
std::uint32_t f32_at(DType dtype, std::span<const std::uint8_t> elements, std::size_t i);

}  // namespace harness
