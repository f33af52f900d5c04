// What decoded elements are written as: for each destination, its bytes and the encoding of an f32,
// rounded once to nearest even. A NaN of any sign gives the quiet NaN of the OCP and IEEE texts.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/f16.hpp"

namespace kernels {

struct ToE4m3 {
  static constexpr unsigned bytes = 1;
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    return e4m3_from_f32(value);
  }
};

struct ToF32 {
  static constexpr unsigned bytes = 4;
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    return is_nan(value) ? 0x7fc00000u : bit_cast<std::uint32_t>(value);
  }
};

struct ToBf16 {
  static constexpr unsigned bytes = 2;
  // A carry past the largest number gives infinity.
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    const auto bits = bit_cast<std::uint32_t>(value);
    return is_nan(value) ? 0x7fc0u : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }
};

struct ToF16 {
  static constexpr unsigned bytes = 2;
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    return is_nan(value) ? 0x7e00u : f16_from_f32(value);
  }
};

// Sixteen decoded elements, element 0 in the lowest bytes of words[0].
template <class To>
struct alignas(16) Decoded {
  static constexpr unsigned per_word = 4 / To::bytes;
  std::uint32_t words[16 / per_word];
};

}  // namespace kernels
