// Eight codes to eight bytes by byte permutes: the magnitude of a code selects a byte, its sign
// flips the byte's highest bit.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/group.hpp"
#include "kernels/portability/device.hpp"

namespace kernels {

// Eight bytes, byte 0 lowest in low.
struct alignas(8) Bytes8 {
  std::uint32_t low;
  std::uint32_t high;
};

// Byte i of the result is byte `magnitude of code i` of the table, with bit 7 flipped where code i
// is negative. `signs` is 80808080 to do so, 0 to leave the table's bytes as they are.
__device__ __forceinline__ Bytes8 look_up(std::uint32_t codes, Bytes8 table, std::uint32_t signs) {
  using portability::byte_perm;
  const std::uint32_t magnitudes = codes & 0x77777777u;
  // Bit 7 of byte i: the sign of code 2i in `even`, of code 2i + 1 in `codes` itself.
  const std::uint32_t even = codes << 4;
  const std::uint32_t low_signs = byte_perm(even, codes, 0x5140) & signs;
  const std::uint32_t high_signs = byte_perm(even, codes, 0x7362) & signs;
  return {byte_perm(table.low, table.high, magnitudes) ^ low_signs,
          byte_perm(table.low, table.high, magnitudes >> 16) ^ high_signs};
}

// The high bytes of the f16 values of eight codes; their low bytes are 0. Exact:
// 0 0.5 1 1.5 2 3 4 6 are 0000 3800 3c00 3e00 4000 4200 4400 4600.
__device__ __forceinline__ Bytes8 f16_high_bytes(std::uint32_t codes) {
  return look_up(codes, {0x3e3c3800u, 0x46444240u}, 0x80808080u);
}

}  // namespace kernels
