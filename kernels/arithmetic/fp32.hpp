// The path `fp32`: the exact f32 product, one conversion to e4m3. The conversion is the chip's on
// CUDA devices of capability 8.9 and newer; elsewhere every step is ElementSteps'.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/element.hpp"
#include "kernels/arithmetic/f16.hpp"
#include "kernels/arithmetic/lookup.hpp"

namespace kernels {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890

struct Fp32 {
  __device__ static Bytes16 group(const ScaledCodes& in) {
    return scaled(in.codes, lower_half(f16x2_from_e4m3x2(in.scale)));
  }

  // With a scale of any format.
  __device__ static Bytes16 scaled(const Codes16& codes, float scale) {
    const float scales[4] = {scale, scale, scale, scale};
    const Bytes8 first = f16_high_bytes(codes.words[0]);
    const Bytes8 second = f16_high_bytes(codes.words[1]);
    return {{four(first.low, scales), four(first.high, scales), four(second.low, scales),
             four(second.high, scales)}};
  }

  __device__ static std::uint32_t lanes(std::uint32_t codes, std::uint32_t scales) {
    const std::uint32_t lower = f16x2_from_e4m3x2(scales & 0xffff);
    const std::uint32_t upper = f16x2_from_e4m3x2(scales >> 16);
    const float values[4] = {lower_half(lower), upper_half(lower), lower_half(upper),
                             upper_half(upper)};
    return four(f16_high_bytes(codes).low, values);
  }

 private:
  __device__ static float lower_half(std::uint32_t halves) {
    float value;
    asm("{.reg .b16 low, high; mov.b32 {low, high}, %1; cvt.f32.f16 %0, low;}"
        : "=f"(value)
        : "r"(halves));
    return value;
  }

  __device__ static float upper_half(std::uint32_t halves) {
    float value;
    asm("{.reg .b16 low, high; mov.b32 {low, high}, %1; cvt.f32.f16 %0, high;}"
        : "=f"(value)
        : "r"(halves));
    return value;
  }

  __device__ static std::uint32_t two(float low, float high) {
    std::uint16_t codes;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(codes) : "f"(high), "f"(low));
    return codes;
  }

  // Four codes as f16 high bytes.
  __device__ static std::uint32_t four(std::uint32_t high_bytes, const float (&scales)[4]) {
    const std::uint32_t lower = portability::byte_perm(high_bytes, 0, 0x1404);
    const std::uint32_t upper = portability::byte_perm(high_bytes, 0, 0x3424);
    return two(lower_half(lower) * scales[0], upper_half(lower) * scales[1]) |
           two(lower_half(upper) * scales[2], upper_half(upper) * scales[3]) << 16;
  }
};

#else

using Fp32 = ElementWise<ElementSteps>;

#endif

}  // namespace kernels
