// SPDX-License-Identifier: Apache-2.0
// In place of kernels/portability/bits.hpp: byte_perm as it was until AMD machine code was
// executed. On AMD the selector's upper half gets into byte 2. The other forms are right, and only
// those had ever run.
#pragma once

#include <cstdint>

namespace kernels::portability {

template <class To, class From>
__host__ __device__ __forceinline__ constexpr To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

// Byte i of the result is byte `selector >> 4*i & 7` of the eight bytes low, high (byte 0 is the
// lowest of low). Bits 3, 7, 11 and 15 of the selector must be 0; its upper half is ignored.
__host__ __device__ __forceinline__ std::uint32_t byte_perm(std::uint32_t low, std::uint32_t high,
                                                            std::uint32_t selector) {
#if defined(__CUDA_ARCH__)
  std::uint32_t bytes;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(low), "r"(high), "r"(selector));
  return bytes;
#elif defined(__HIP_DEVICE_COMPILE__)
  // v_perm_b32 has a byte for each index, and takes the upper four bytes first.
  const std::uint32_t pairs = (selector | selector << 8) & 0x00ff00ffu;
  return __builtin_amdgcn_perm(high, low, (pairs | pairs << 4) & 0x07070707u);
#else
  const std::uint64_t bytes = std::uint64_t{high} << 32 | low;
  const auto byte = [&](unsigned i) {
    return static_cast<std::uint32_t>(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
  };
  return byte(0) | byte(1) | byte(2) | byte(3);
#endif
}

}  // namespace kernels::portability
