// The path `qmul4`: the instruction itself, four elements at a time. PTX ISA 9.4 section 9.7.6; it
// assembles for sm_100a and sm_103a with CUDA 13.4 or newer, and has no other form.
//
// On the host, which has no such instruction, it is written in software, and results say so: what
// is around it runs everywhere.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/group.hpp"
#include "kernels/portability/device.hpp"

namespace kernels {

#if !defined(__CUDACC__)
// mul.rn.satfinite.e4m3x4.e2m1x4.e4m3x4 of one lane, in integers: the significands' product with
// its exponent, rounded once to nearest even. NaN is 7f.
constexpr std::uint32_t qmul4_lane_in_software(std::uint32_t code, std::uint32_t scale) {
  if ((scale & 0x7f) == 0x7f) return 0x7f;
  const std::uint32_t sign = (code << 4 ^ scale) & 0x80;
  // A significand below 2 or 8 with exponent field 0 has the exponent of field 1 and no leading
  // one.
  const std::uint32_t code_field = code >> 1 & 3;
  const std::uint32_t scale_field = scale >> 3 & 0xf;
  const std::uint32_t significand =
      ((code & 1) | (code_field != 0 ? 2u : 0u)) * ((scale & 7) | (scale_field != 0 ? 8u : 0u));
  if (significand == 0) return sign;
  const int code_exponent = code_field != 0 ? static_cast<int>(code_field) : 1;
  const int scale_exponent = scale_field != 0 ? static_cast<int>(scale_field) : 1;
  // The value is significand * 2^exponent: e2m1 has bias 1 and one bit behind the point, e4m3 7 and
  // three.
  const int exponent = code_exponent - 2 + scale_exponent - 10;
  // The result's last place: three bits below the leading one, and 2^-9 at least.
  const int leading = 31 - __builtin_clz(significand) + exponent;
  const int last = leading - 3 > -9 ? leading - 3 : -9;
  const int dropped = last - exponent;
  std::uint32_t places = 0;
  if (dropped <= 0) {
    places = significand << -dropped;
  } else {
    const std::uint32_t half = 1u << (dropped - 1);
    const std::uint32_t odd = significand >> dropped & 1;
    places = (significand + half - 1 + odd) >> dropped;
  }
  // Fields follow each other in the order of values: a carry runs into the exponent.
  const auto magnitude = (static_cast<std::uint32_t>(last + 9) << 3) + places;
  return sign | (magnitude < 0x7e ? magnitude : 0x7e);
}
#endif

struct Qmul4 {
  __device__ static std::uint32_t lanes(std::uint32_t codes, std::uint32_t scales) {
    std::uint32_t bytes = 0;
#if defined(__CUDACC__)
    asm("mul.rn.satfinite.e4m3x4.e2m1x4.e4m3x4 %0, %1, %2;"
        : "=r"(bytes)
        : "h"(static_cast<std::uint16_t>(codes)), "r"(scales));
#else
    for (unsigned lane = 0; lane < 4; ++lane) {
      bytes |= qmul4_lane_in_software(codes >> 4 * lane & 0xf, scales >> 8 * lane & 0xff)
               << 8 * lane;
    }
#endif
    return bytes;
  }

  __device__ static Bytes16 group(const ScaledCodes& in) {
    const std::uint32_t scales = in.scale * 0x01010101u;
    return {{lanes(in.codes.words[0], scales), lanes(in.codes.words[0] >> 16, scales),
             lanes(in.codes.words[1], scales), lanes(in.codes.words[1] >> 16, scales)}};
  }
};

}  // namespace kernels
