// Sixteen elements under one block scale, as registers hold them. Element 0 is lowest: the low
// nibble of codes.words[0], the low byte of bytes.words[0].
//
// A path is an *arithmetic*, a struct with two static functions:
//
//   Bytes16 group(const ScaledCodes&)
//     16 codes under one scale to 16 e4m3 bytes
//
//   std::uint32_t lanes(std::uint32_t codes, std::uint32_t scales)
//     4 codes (low half) and 4 scale bytes to 4 e4m3 bytes, lane 0 lowest
#pragma once

#include <cstdint>

namespace kernels {

struct alignas(8) Codes16 {
  std::uint32_t words[2];
};

struct alignas(16) Bytes16 {
  std::uint32_t words[4];
};

struct ScaledCodes {
  Codes16 codes;
  std::uint8_t scale;
};

}  // namespace kernels
