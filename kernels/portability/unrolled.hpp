// A loop that is always unrolled, in every dialect, so that an array indexed by its counter stays
// in registers. Included by portability/device.hpp.
#pragma once

namespace kernels::portability {

// body(0), body(1), ... body(count - 1)
template <unsigned count, unsigned next = 0, class Body>
__device__ __forceinline__ void unrolled(const Body& body) {
  if constexpr (next < count) {
    body(next);
    unrolled<count, next + 1>(body);
  }
}

}  // namespace kernels::portability
