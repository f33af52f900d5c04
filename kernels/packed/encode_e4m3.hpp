// f32 to e4m3 over arrays: one thread for one element. Encoder::encode(float) is the conversion.
#pragma once

#include <cstdint>

#include "include/fp4cts/abi.h"
#include "kernels/portability/device.hpp"

namespace kernels {

inline constexpr unsigned encode_e4m3_threads = 256;

template <class Encoder>
__device__ __forceinline__ void encode_e4m3(const fp4cts_encode_e4m3& args) {
  const std::int64_t i = std::int64_t{blockIdx.x} * encode_e4m3_threads + threadIdx.x;
  if (i < args.count) args.d[i] = static_cast<std::uint8_t>(Encoder::encode(args.x[i]));
}

}  // namespace kernels
