// The conversion of NVIDIA's chips of capability 8.9 and newer (PTX ISA, cvt.rn.satfinite).
#include "kernels/packed/encode_e4m3.hpp"

namespace kernels {

struct CvtE4m3 {
  // Two values at a time: the second operand gives the low byte.
  __device__ static std::uint32_t encode(float value) {
    std::uint16_t codes;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(codes) : "f"(0.0f), "f"(value));
    return codes & 0xffu;
  }
};

}  // namespace kernels

extern "C" __global__ void __launch_bounds__(kernels::encode_e4m3_threads)
    encode_e4m3_cvt(fp4cts_encode_e4m3 args) {
  kernels::encode_e4m3<kernels::CvtE4m3>(args);
}
