// Block scales and codes of one scale block, as engines compute them: docs/design.md section 3.4.
// The rules are data (writer_rule.hpp); every function is exact to the bit. Elements and magnitudes
// are f32 bits: f16 and bf16 inputs widen exactly (ieee::widen).
#pragma once

#include <cstdint>
#include <span>

#include "oracle/blocks/writer_rule.hpp"
#include "oracle/numbers/exact.hpp"

namespace oracle {

// The largest magnitude of a scale block, f32 bits. NaN elements are ignored, and a block of NaNs
// only has amax +0; or any NaN makes it NaN (7fc00000).
std::uint32_t block_amax(std::span<const std::uint32_t> elements, NanInAmax nan_in_amax);

// The E4M3 scale byte for an amax. A NaN amax gives 7f, infinity 7e.
std::uint8_t nvfp4_scale(std::uint32_t amax, const Nvfp4Rule& rule);

// The E8M0 scale byte for an amax.
std::uint8_t mxfp4_scale(std::uint32_t amax, const Mxfp4Rule& rule);

// How a value becomes an e2m1 code: to nearest with these ties, saturating at 6.
struct ElementRule {
  Ties ties = Ties::to_even;
  NanToE2m1 nan_code = NanToE2m1::plus_six;
  NegativeZero negative_zero = NegativeZero::kept;
};

// The code of a value. A NaN takes its sign from the value. `cleared` negative zeros are codes 0
// for every value that rounds to zero.
std::uint8_t encode_e2m1(const Exact& value, const ElementRule& rule);

// The code of an element under the stored scale byte (and the amax that it came from, which the
// guard of some rules looks at). A NaN that the arithmetic makes has the sign of the element.
std::uint8_t nvfp4_code(std::uint32_t element, std::uint8_t scale, std::uint32_t amax,
                        const Nvfp4Rule& rule);

// The code of an element divided exactly by 2^(scale - 127); under ff every element is a NaN.
std::uint8_t mxfp4_code(std::uint32_t element, std::uint8_t scale, const Mxfp4Rule& rule);

// Scale byte and codes of one scale block. Precondition: codes.size() == elements.size().
std::uint8_t quantize_block(std::span<const std::uint32_t> elements, const Nvfp4Rule& rule,
                            std::span<std::uint8_t> codes);
std::uint8_t quantize_block(std::span<const std::uint32_t> elements, const Mxfp4Rule& rule,
                            std::span<std::uint8_t> codes);

}  // namespace oracle
