// The definition, one element at a time: e4m3_rne_satfinite(e2m1(code) * e4m3(scale)).
//
// Each step is a static function, looked up in `Self`, so that a struct derived from ElementSteps
// changes one step by declaring it again. ElementWise<Steps> is the arithmetic (group.hpp) that
// takes these steps for every element.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/formats.hpp"
#include "kernels/arithmetic/group.hpp"

namespace kernels {

struct ElementSteps {
  __host__ __device__ static constexpr float code(std::uint32_t code) {
    return f32_from_e2m1(code);
  }
  __host__ __device__ static constexpr float scale(std::uint32_t scale) {
    return f32_from_e4m3(scale);
  }
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    return e4m3_from_f32(value);
  }
  // The product has at most 6 significant bits: exact in f32. A NaN scale is the product of any
  // code, and is not multiplied: a constant expression may hold a NaN, but not make one (clang).
  template <class Self>
  __host__ __device__ static constexpr std::uint32_t element(std::uint32_t code,
                                                             std::uint32_t scale) {
    const float factor = Self::scale(scale);
    return Self::encode(is_nan(factor) ? factor : Self::code(code) * factor);
  }
};

template <class Steps = ElementSteps>
struct ElementWise {
  __device__ static std::uint32_t lanes(std::uint32_t codes, std::uint32_t scales) {
    std::uint32_t bytes = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
      const std::uint32_t code = codes >> 4 * lane & 0xf;
      const std::uint32_t scale = scales >> 8 * lane & 0xff;
      bytes |= Steps::template element<Steps>(code, scale) << 8 * lane;
    }
    return bytes;
  }

  __device__ static Bytes16 group(const ScaledCodes& in) {
    const std::uint32_t scales = in.scale * 0x01010101u;
    return {{lanes(in.codes.words[0], scales), lanes(in.codes.words[0] >> 16, scales),
             lanes(in.codes.words[1], scales), lanes(in.codes.words[1] >> 16, scales)}};
  }
};

}  // namespace kernels
