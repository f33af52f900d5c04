// The path `fp16`: codes and scale to f16, an f16 multiply (exact: products have at most 6
// significant bits and lie in 2^-10 .. 2688), one conversion to e4m3.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/f16.hpp"
#include "kernels/arithmetic/lookup.hpp"

namespace kernels {

struct Fp16 {
  // Inlined always: where conversions are software it is large, and a call has operands in memory.
  __device__ __forceinline__ static Bytes16 group(const ScaledCodes& in) {
    const std::uint32_t scales = f16x2_from_e4m3x2(in.scale * 0x0101u);
    const Bytes8 first = f16_high_bytes(in.codes.words[0]);
    const Bytes8 second = f16_high_bytes(in.codes.words[1]);
    return {{four(first.low, scales, scales), four(first.high, scales, scales),
             four(second.low, scales, scales), four(second.high, scales, scales)}};
  }

  __device__ static std::uint32_t lanes(std::uint32_t codes, std::uint32_t scales) {
    return four(f16_high_bytes(codes).low, f16x2_from_e4m3x2(scales & 0xffff),
                f16x2_from_e4m3x2(scales >> 16));
  }

 private:
  // Four codes as f16 high bytes, and the scales of the lower and the upper two.
  __device__ static std::uint32_t four(std::uint32_t high_bytes, std::uint32_t lower_scales,
                                       std::uint32_t upper_scales) {
    const std::uint32_t lower = portability::byte_perm(high_bytes, 0, 0x1404);
    const std::uint32_t upper = portability::byte_perm(high_bytes, 0, 0x3424);
    return e4m3x2_from_f16x2(multiply_f16x2(lower, lower_scales)) |
           e4m3x2_from_f16x2(multiply_f16x2(upper, upper_scales)) << 16;
  }
};

}  // namespace kernels
