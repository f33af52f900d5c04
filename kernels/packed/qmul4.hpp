// qmul4 over arrays (docs/design.md section 3.1): one thread for one element of four lanes.
#pragma once

#include <cstdint>

#include "include/fp4cts/abi.h"
#include "kernels/portability/device.hpp"

namespace kernels {

inline constexpr unsigned qmul4_threads = 256;

template <class Arithmetic>
__device__ __forceinline__ void qmul4(const fp4cts_qmul4& args) {
  const std::int64_t i = std::int64_t{blockIdx.x} * qmul4_threads + threadIdx.x;
  if (i < args.count) args.d[i] = Arithmetic::lanes(args.a[i], args.b[i]);
}

}  // namespace kernels
