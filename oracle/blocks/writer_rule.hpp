// The rules by which engines choose block scales and 4-bit codes, as data: docs/design.md
// section 3.4. block_scale.hpp and quantize.hpp compute what a rule says, exact to the bit. Shipped
// rules are the ones whose sources are known; `verified` marks those whose bytes a document or
// source pins whole.
#pragma once

#include <cstdint>

namespace oracle {

// Where a value lies exactly between two e2m1 values.
enum class Ties : std::uint8_t {
  to_even,       // IEEE round to nearest even: CUDA, AMD, AITER, vLLM
  toward_zero,   // down in magnitude: DeepGEMM
  away,          // up in magnitude
  toward_minus,  // to the lower value: the reference of AITER's scorer test
};

// The code of an e2m1 for a NaN, which the format cannot hold.
enum class NanToE2m1 : std::uint8_t {
  plus_six,     // 7: CUDA's conversion
  signed_six,   // 7 with the sign of the NaN: AMD's software model, AITER
  plus_zero,    // 0: DeepGEMM, AITER on gfx942
  signed_zero,  // 0 with the sign of the NaN: flashinfer's append
  minus_zero,   // 8, whatever its sign: XLA
};

enum class NegativeZero : std::uint8_t { kept, cleared };

// What a NaN element does to the largest magnitude of its group.
enum class NanInAmax : std::uint8_t {
  ignored,     // fmaxf; a group of NaNs only has amax 0
  propagates,  // the scale is NaN
};

// How codes come from elements x and the stored scale s, in IEEE f32.
enum class CodeFrom : std::uint8_t {
  quotient,                   // RN(x / s)
  reciprocal_product,         // RN(x * RN(1 / s))
  reciprocal_product_to_zero  // x * RN(1 / s), the product rounded toward zero
};

// amax / 6, in IEEE f32.
enum class Sixth : std::uint8_t {
  quotient,  // RN(amax / 6)
  product,   // RN(amax * RN(1/6)), RN(1/6) = 3e2aaaab
};

// When the multiplier of a group is 0 instead of 1/s (only for the reciprocal forms).
enum class ZeroMultiplier : std::uint8_t {
  scale_is_zero,  // vLLM generic, flashinfer append
  amax_is_zero,   // flashinfer quantizer: a scale that underflows to 0 gives 1/0, infinity
};

// NVFP4: the E4M3 scale of 16 elements, unit global scale.
//   a  = max(amax, amax_floor)
//   s  = e4m3_rne_satfinite(max(sixth(a), scale_floor))
//   code = e2m1 of x by `code_from`, saturating at 6
struct Nvfp4Rule {
  std::uint32_t amax_floor_f32 = 0;   // f32 bits
  std::uint32_t scale_floor_f32 = 0;  // f32 bits
  Sixth sixth = Sixth::quotient;
  CodeFrom code_from = CodeFrom::quotient;
  ZeroMultiplier zero_multiplier = ZeroMultiplier::scale_is_zero;
  NanInAmax nan_in_amax = NanInAmax::ignored;
  NanToE2m1 nan_code = NanToE2m1::plus_six;
  NegativeZero negative_zero = NegativeZero::kept;
  Ties ties = Ties::to_even;

  bool operator==(const Nvfp4Rule&) const = default;
};

// vLLM's MiniMax-M3 writer (docs/engines.md section d). Never stores 00, a NaN or a negative scale.
inline constexpr Nvfp4Rule vllm_m3{
    .amax_floor_f32 = 0x2b8cbccc,   // RN(1e-12)
    .scale_floor_f32 = 0x3b000000,  // 2^-9
    .sixth = Sixth::quotient,
    .code_from = CodeFrom::quotient,
    .negative_zero = NegativeZero::cleared,
};

// The generic NVFP4 writers of vLLM and TensorRT-LLM with unit global scale. Unverified: a group of
// NaNs only (taken as amax 0), and reciprocals on a unit that is not correctly rounded.
inline constexpr Nvfp4Rule nvfp4_generic{
    .sixth = Sixth::product,
    .code_from = CodeFrom::reciprocal_product,
};

// MXFP4: how the E8M0 byte comes from amax, as f32 bits; e and m are exponent and mantissa fields.
enum class ScaleMode : std::uint8_t {
  round_up,  // w = amax / 6: e(w) + (m(w) != 0); AITER's default, DeepGEMM, flashinfer
  floor,     // e(amax * 0.25): OCP MX v1.0
  even,      // e(bits(amax) + 00200000) - 2, not below 0
  ceil,      // w = amax * 0.25: e(w) + (m(w) != 0)
};

// How `floor` and `ceil` divide by four.
enum class Quarter : std::uint8_t {
  product,   // RN(amax * 0.25): AITER's HIP and torch code
  exponent,  // e(amax) - 2, not below 0: AITER's FlyDSL code
};

// The byte for an infinite or NaN amax.
enum class NonfiniteScale : std::uint8_t {
  nan,        // ff
  from_bits,  // what the formula makes of the bits: fd and fe in some modes, 00 for some NaNs
};

// MXFP4: the E8M0 scale of 32 elements. The element is divided by the scale exactly, rounded once.
struct Mxfp4Rule {
  ScaleMode mode = ScaleMode::round_up;
  std::uint32_t amax_floor_f32 = 0;    // f32 bits
  Sixth sixth = Sixth::product;        // of round_up
  Quarter quarter = Quarter::product;  // of floor and ceil
  std::uint8_t smallest_scale = 0x00;  // bytes are kept between these two
  std::uint8_t largest_scale = 0xff;
  NonfiniteScale nonfinite_scale = NonfiniteScale::nan;
  NanInAmax nan_in_amax = NanInAmax::ignored;
  NanToE2m1 nan_code = NanToE2m1::signed_six;
  NegativeZero negative_zero = NegativeZero::kept;
  Ties ties = Ties::to_even;

  bool operator==(const Mxfp4Rule&) const = default;
};

// 6 * 2^-126: with it an all-zero group has scale byte 01 instead of 00.
inline constexpr std::uint32_t six_smallest_normals_f32 = 0x01c00000;

// AITER's library default. Unverified for its MXFP4 page mode, whose source was not read.
inline constexpr Mxfp4Rule mxfp4_aiter{};
// The scale rule of the OCP MX v1.0 text.
inline constexpr Mxfp4Rule mxfp4_ocp_floor{.mode = ScaleMode::floor};
inline constexpr Mxfp4Rule mxfp4_even{.mode = ScaleMode::even};
inline constexpr Mxfp4Rule mxfp4_ceil{.mode = ScaleMode::ceil};
// The DeepSeek cache writers of AITER.
inline constexpr Mxfp4Rule mxfp4_dsv4{.amax_floor_f32 = six_smallest_normals_f32};
// DeepGEMM's quantizer: amax at least 1e-4, ties down in magnitude, -0 cleared, NaN is 0.
inline constexpr Mxfp4Rule mxfp4_deepgemm{
    .amax_floor_f32 = 0x38d1b717,  // RN(1e-4)
    .sixth = Sixth::quotient,
    .smallest_scale = 0x01,
    .largest_scale = 0xfe,
    .nan_code = NanToE2m1::plus_zero,
    .negative_zero = NegativeZero::cleared,
    .ties = Ties::toward_zero,
};

}  // namespace oracle
