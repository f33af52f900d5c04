// The path `qmul4`: the instruction itself, four elements at a time. PTX ISA 9.4 section 9.7.6; it
// assembles for sm_100a and sm_103a with CUDA 13.4 or newer, and has no other form.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/group.hpp"
#include "kernels/portability/device.hpp"

namespace kernels {

struct Qmul4 {
  __device__ static std::uint32_t lanes(std::uint32_t codes, std::uint32_t scales) {
    std::uint32_t bytes;
    asm("mul.rn.satfinite.e4m3x4.e2m1x4.e4m3x4 %0, %1, %2;"
        : "=r"(bytes)
        : "h"(static_cast<std::uint16_t>(codes)), "r"(scales));
    return bytes;
  }

  __device__ static Bytes16 group(const ScaledCodes& in) {
    const std::uint32_t scales = in.scale * 0x01010101u;
    return {{lanes(in.codes.words[0], scales), lanes(in.codes.words[0] >> 16, scales),
             lanes(in.codes.words[1], scales), lanes(in.codes.words[1] >> 16, scales)}};
  }
};

}  // namespace kernels
