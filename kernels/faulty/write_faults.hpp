// Writers that are wrong in one step of their rule, or in where they write.
#pragma once

#include "kernels/rows/write.hpp"

namespace kernels::faulty {

template <class Rule>
struct TiesAway : Rule {
  __device__ static std::uint32_t nearest(float magnitude) {
    return (magnitude >= 0.25f ? 1u : 0u) + (magnitude >= 0.75f ? 1u : 0u) +
           (magnitude >= 1.25f ? 1u : 0u) + (magnitude >= 1.75f ? 1u : 0u) +
           (magnitude >= 2.5f ? 1u : 0u) + (magnitude >= 3.5f ? 1u : 0u) +
           (magnitude >= 5.0f ? 1u : 0u);
  }
};

template <class Rule>
struct CarrySaturates : Rule {
  __device__ static std::uint32_t nearest(float magnitude) {
    return magnitude >= 3.5f && magnitude < 4.0f ? 7 : e2m1_nearest(magnitude);
  }
};

template <class Rule>
struct AmaxNarrowed : Rule {
  __device__ static std::uint32_t scale(std::uint32_t amax) {
    return Rule::scale(amax >= 0x7f800000 ? amax : (amax + 0x7fff + (amax >> 16 & 1)) & 0xffff0000);
  }
};

template <class Rule>
struct AmaxTakesNan : Rule {
  __device__ static std::uint32_t larger(std::uint32_t amax, float x) {
    const std::uint32_t magnitude = bit_cast<std::uint32_t>(x) & 0x7fffffff;
    return magnitude > amax ? magnitude : amax;
  }
  __device__ static std::uint32_t scale(std::uint32_t amax) {
    return amax > 0x7f800000 ? nan_scale(Rule::scale(0x7f800000)) : Rule::scale(amax);
  }

 private:
  // The NaN of the scale's format, told by the scale of an infinite amax.
  __device__ static std::uint32_t nan_scale(std::uint32_t of_infinity) {
    return of_infinity == 0x7e ? 0x7f : 0xff;
  }
};

template <class Rule, std::uint32_t nan>
struct ZeroBlockNan : Rule {
  __device__ static std::uint32_t scale(std::uint32_t amax) {
    return amax == 0 ? nan : Rule::scale(amax);
  }
};

template <class Rule>
struct ScaleOverflowToNan : Rule {
  __device__ static std::uint32_t scale(std::uint32_t amax) {
    return amax > 0x452e0000 ? 0x7f : Rule::scale(amax);  // six times 464
  }
};

template <class Rule>
struct LargestScaleToNan : Rule {
  __device__ static std::uint32_t scale(std::uint32_t amax) {
    const std::uint32_t scale = Rule::scale(amax);
    return scale == 0x7e ? 0x7f : scale;
  }
};

// Codes by amax / 6 instead of the scale that is stored.
struct ExactScale : VllmM3 {
  __device__ static float multiplier(std::uint32_t scale, std::uint32_t amax) {
    return amax == 0 || amax >= 0x7f800000 ? VllmM3::multiplier(scale, amax)
                                           : bit_cast<float>(amax) / 6.0f;
  }
};

struct ExactScaleMx : Aiter<RoundUp> {
  __device__ static float multiplier(std::uint32_t scale, std::uint32_t amax) {
    return amax == 0 || amax >= 0x7f800000 ? 1.0f / Aiter<RoundUp>::multiplier(scale, amax)
                                           : bit_cast<float>(amax) / 6.0f;
  }
  template <class Self>
  __device__ static std::uint32_t code(float x, float divisor) {
    const float scaled = x / divisor;
    const std::uint32_t magnitude =
        is_nan(scaled) ? 7 : Self::nearest(scaled < 0 ? -scaled : scaled);
    return magnitude | RuleSteps::sign_of(x);
  }
};

struct ReciprocalMultiply : VllmM3 {
  __device__ static float multiplier(std::uint32_t scale, std::uint32_t /*amax*/) {
    return 1.0f / f32_from_e4m3(scale);
  }
  template <class Self>
  __device__ static std::uint32_t code(float x, float reciprocal) {
    const float product = x * reciprocal;
    if (is_nan(product)) return 7;
    const std::uint32_t magnitude = Self::nearest(product < 0 ? -product : product);
    return magnitude == 0 ? 0 : magnitude | RuleSteps::sign_of(x);
  }
};

struct SixthByProduct : VllmM3 {
  __device__ static std::uint32_t scale(std::uint32_t amax) {
    const float floored = amax > 0x2b8cbccc ? bit_cast<float>(amax) : bit_cast<float>(0x2b8cbcccu);
    const float sixth = floored * (1.0f / 6.0f);
    return e4m3_from_f32(sixth > 0x1p-9f ? sixth : 0x1p-9f);
  }
};

template <class Rule>
struct AmaxFloor : Rule {
  __device__ static std::uint32_t scale(std::uint32_t amax) {
    return Rule::scale(amax > 0x38d1b717 ? amax : 0x38d1b717);  // 1e-4
  }
};

struct NoScaleFloor : VllmM3 {
  __device__ static std::uint32_t scale(std::uint32_t amax) {
    const float floored = amax > 0x2b8cbccc ? bit_cast<float>(amax) : bit_cast<float>(0x2b8cbcccu);
    return e4m3_from_f32(floored / 6.0f);
  }
};

struct KeepsNegativeZero : VllmM3 {
  template <class Self>
  __device__ static std::uint32_t code(float x, float scale) {
    const float quotient = x / scale;
    if (is_nan(quotient)) return 7;
    return Self::nearest(quotient < 0 ? -quotient : quotient) | RuleSteps::sign_of(x);
  }
};

struct LosesNegativeZero : Aiter<RoundUp> {
  template <class Self>
  __device__ static std::uint32_t code(float x, float reciprocal) {
    const std::uint32_t code = Aiter<RoundUp>::template code<Self>(x, reciprocal);
    return code == 8 ? 0 : code;
  }
};

struct NanIsZero : VllmM3 {
  template <class Self>
  __device__ static std::uint32_t code(float x, float scale) {
    return is_nan(x / scale) ? 0 : VllmM3::code<Self>(x, scale);
  }
};

// The ceiling of the binary logarithm in f32, which is too coarse just above a power of two.
struct Log2Ceiling : Aiter<RoundUp> {
  __device__ static std::uint32_t scale(std::uint32_t amax) {
    const std::uint32_t scale = Aiter<RoundUp>::scale(amax);
    const auto w = bit_cast<std::uint32_t>(bit_cast<float>(amax) * (1.0f / 6.0f));
    const int k = static_cast<int>(w >> 23) - 127;
    std::uint32_t half = 0;  // of the distance of numbers near k, in units of 2^-23
    for (int size = k < 0 ? -k : k; size >= 4; size /= 2) half = half == 0 ? 2 : 2 * half;
    const std::uint32_t mantissa = w & 0x7fffff;
    const bool lost = amax < 0x7f800000 && mantissa != 0 && mantissa * 1443 < half * 1000;
    return lost && scale > 0 ? scale - 1 : scale;
  }
};

template <class Rule>
struct SharedAmax : Rule {
  static constexpr bool looks_at_neighbour = true;
  __device__ static std::uint32_t amax_of(std::uint32_t own, std::uint32_t neighbour) {
    return own > neighbour ? own : neighbour;
  }
};

template <class Rule>
struct ScaleZero : Rule {
  __device__ static std::uint32_t stored(std::uint32_t /*scale*/) { return 0; }
};

template <unsigned block_elements>
struct NibblesSwapped : LinearPage<block_elements> {
  __device__ static std::uint32_t pair(std::uint32_t even, std::uint32_t odd) {
    return odd | even << 4;
  }
};

template <unsigned block_elements>
struct Quads : LinearPage<block_elements> {
  __device__ static std::int64_t scale(unsigned token, unsigned block) {
    constexpr unsigned blocks = row_elements / block_elements;
    return tokens_of_a_page * (row_elements / 2) + token / 4 * 4 * blocks + block * 4 + token % 4;
  }
};

template <unsigned block_elements>
struct Swizzled : LinearPage<block_elements> {
  __device__ static std::int64_t scale(unsigned token, unsigned block) {
    return tokens_of_a_page * (row_elements / 2) + block / 4 * 512 + token % 32 * 16 +
           token / 32 * 4 + block % 4;
  }
};

template <unsigned block_elements>
struct ScalesFirst : LinearPage<block_elements> {
  static constexpr unsigned blocks = row_elements / block_elements;
  __device__ static std::int64_t codes(unsigned token, unsigned block) {
    return tokens_of_a_page * blocks + LinearPage<block_elements>::codes(token, block);
  }
  __device__ static std::int64_t scale(unsigned token, unsigned block) {
    return token * blocks + block;
  }
};

template <unsigned block_elements>
struct DensePages : LinearPage<block_elements> {
  __device__ static std::int64_t page(std::int64_t id, std::int64_t /*stride*/) {
    return id * std::int64_t{tokens_of_a_page * (row_elements / 2 + row_elements / block_elements)};
  }
};

template <unsigned block_elements>
struct SkippedToSlotZero : LinearPage<block_elements> {
  __device__ static std::int64_t slot(std::int64_t stated) { return stated < 0 ? 0 : stated; }
};

}  // namespace kernels::faulty
