// How engines choose a block's scale and codes (docs/layouts.md, writers), a step each. A rule is a
// struct with
//
//   std::uint32_t scale(std::uint32_t amax)           the scale byte for the bits of an amax
//   float multiplier(std::uint32_t scale, amax)       what `code` is given beside the element
//   std::uint32_t code(float x, float multiplier)     the e2m1 code
//
// and a faulty one derives from it and declares a step again.
#pragma once

#include <cstdint>

#include "kernels/rows/elements.hpp"

namespace kernels {

// The steps that all rules share. amax by fmaxf: a NaN loses; of NaNs alone it is 0.
struct RuleSteps {
  __device__ static std::uint32_t larger(std::uint32_t amax, float x) {
    const std::uint32_t magnitude = bit_cast<std::uint32_t>(x) & 0x7fffffff;
    return magnitude <= 0x7f800000 && magnitude > amax ? magnitude : amax;
  }
  __device__ static std::uint32_t nearest(float magnitude) { return e2m1_nearest(magnitude); }
  // Which block's amax a block takes: its own.
  __device__ static std::uint32_t amax_of(std::uint32_t own, std::uint32_t /*neighbour*/) {
    return own;
  }
  static constexpr bool looks_at_neighbour = false;
  // What is written for a scale.
  __device__ static std::uint32_t stored(std::uint32_t scale) { return scale; }
  __device__ static std::uint32_t sign_of(float x) { return bit_cast<std::uint32_t>(x) >> 28 & 8; }
};

// vLLM's MiniMax-M3 writer: amax / 6 with floors of 1e-12 and 2^-9, codes of the quotient, NaN is
// +6 and every zero +0.
struct VllmM3 : RuleSteps {
  __device__ static std::uint32_t scale(std::uint32_t amax) {
    const float floored = amax > 0x2b8cbccc ? bit_cast<float>(amax) : bit_cast<float>(0x2b8cbcccu);
    const float sixth = floored / 6.0f;
    return e4m3_from_f32(sixth > 0x1p-9f ? sixth : 0x1p-9f);
  }
  __device__ static float multiplier(std::uint32_t scale, std::uint32_t /*amax*/) {
    return f32_from_e4m3(scale);
  }
  template <class Self>
  __device__ static std::uint32_t code(float x, float scale) {
    const float quotient = x / scale;
    if (is_nan(quotient)) return 7;
    const std::uint32_t magnitude = Self::nearest(quotient < 0 ? -quotient : quotient);
    return magnitude == 0 ? 0 : magnitude | RuleSteps::sign_of(x);
  }
};

// The generic NVFP4 writers of vLLM and TensorRT-LLM: amax times RN(1/6), codes of the product with
// the reciprocal, which is 0 under a scale of 0; NaN is +6, -0 is kept.
struct GenericNvfp4 : RuleSteps {
  __device__ static std::uint32_t scale(std::uint32_t amax) {
    return e4m3_from_f32(bit_cast<float>(amax) * (1.0f / 6.0f));
  }
  __device__ static float multiplier(std::uint32_t scale, std::uint32_t /*amax*/) {
    return scale == 0 ? 0.0f : 1.0f / f32_from_e4m3(scale);
  }
  template <class Self>
  __device__ static std::uint32_t code(float x, float reciprocal) {
    const float product = x * reciprocal;
    if (is_nan(product)) return 7;
    return Self::nearest(product < 0 ? -product : product) | RuleSteps::sign_of(x);
  }
};

// AITER's MXFP4: an E8M0 scale, elements divided by it exactly; NaN is 6 with its sign, -0 is kept.
template <class Mode>
struct Aiter : RuleSteps {
  __device__ static std::uint32_t scale(std::uint32_t amax) {
    return amax >= 0x7f800000 ? 0xff : Mode::exponent(bit_cast<float>(amax));
  }
  __device__ static float multiplier(std::uint32_t scale, std::uint32_t /*amax*/) {
    if (scale == 0xff) return bit_cast<float>(0x7fc00000u);
    return bit_cast<float>(scale == 0xfe ? 0x00400000u : (254 - scale) << 23);
  }
  template <class Self>
  __device__ static std::uint32_t code(float x, float reciprocal) {
    const float scaled = x * reciprocal;
    const std::uint32_t magnitude =
        is_nan(scaled) ? 7 : Self::nearest(scaled < 0 ? -scaled : scaled);
    return magnitude | RuleSteps::sign_of(x);
  }
};

__device__ __forceinline__ std::uint32_t exponent_at_or_above(float value) {
  const auto bits = bit_cast<std::uint32_t>(value);
  return (bits >> 23) + ((bits & 0x7fffff) != 0 ? 1 : 0);
}

struct RoundUp {
  __device__ static std::uint32_t exponent(float amax) {
    return exponent_at_or_above(amax * (1.0f / 6.0f));
  }
};
struct Floor {
  __device__ static std::uint32_t exponent(float amax) {
    return bit_cast<std::uint32_t>(amax * 0.25f) >> 23;
  }
};
struct Even {
  __device__ static std::uint32_t exponent(float amax) {
    const std::uint32_t field = (bit_cast<std::uint32_t>(amax) + 0x00200000) >> 23;
    return field < 2 ? 0 : field - 2;
  }
};
struct Ceil {
  __device__ static std::uint32_t exponent(float amax) {
    return exponent_at_or_above(amax * 0.25f);
  }
};

}  // namespace kernels
