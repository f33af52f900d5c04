// The path `cvt`: the scaled conversions of gfx950 (V_CVT_SCALEF32_PK_F32_FP4), two elements at a
// time. The instruction takes the exponent field of an f32 as the scale, so byte 00 is 2^-127 and
// ff NaN; a NaN is replaced by the one of the destination, since its sign is the element's. Needs a
// HIP compiler that has the builtin; it has no other form.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/destination.hpp"
#include "kernels/arithmetic/group.hpp"
#include "kernels/portability/device.hpp"

namespace kernels {

struct Mxfp4Cvt {
  template <class To>
  struct Piece {
    __device__ static Decoded<To> decode(const ScaledCodes& in) {
      const float scale = bit_cast<float>(std::uint32_t{in.scale} << 23);
      Decoded<To> out{};
      portability::unrolled<2>([&](unsigned word) {
        const std::uint32_t codes = in.codes.words[word];
        two<To>(out, 8 * word + 0, __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(codes, scale, 0));
        two<To>(out, 8 * word + 2, __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(codes, scale, 1));
        two<To>(out, 8 * word + 4, __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(codes, scale, 2));
        two<To>(out, 8 * word + 6, __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(codes, scale, 3));
      });
      return out;
    }
  };

 private:
  template <class To, class Pair>
  __device__ static void two(Decoded<To>& out, unsigned element, Pair values) {
    constexpr unsigned per_word = Decoded<To>::per_word;
    for (unsigned i = 0; i < 2; ++i) {
      out.words[(element + i) / per_word] |= To::encode(values[i])
                                             << 8 * To::bytes * ((element + i) % per_word);
    }
  }
};

}  // namespace kernels
