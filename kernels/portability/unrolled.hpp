// A loop that is always unrolled, in every dialect, so that an array indexed by its counter stays
// in registers; and how a block shares out work. Included by portability/device.hpp.
#pragma once

#include <cstdint>

namespace kernels::portability {

// body(0), body(1), ... body(count - 1)
template <unsigned count, unsigned next = 0, class Body>
__device__ __forceinline__ void unrolled(const Body& body) {
  if constexpr (next < count) {
    body(next);
    unrolled<count, next + 1>(body);
  }
}

// Which piece of work a thread takes in a step, when a block of threads shares out `steps` pieces
// each: 32 neighbours take 32 neighbouring pieces, and theirs of all steps lie together. An index,
// and no promise about how wide a wave is.
template <unsigned steps>
__device__ __forceinline__ std::int64_t warp_piece(unsigned step) {
  return std::int64_t{(threadIdx.x & ~31u) * steps + (threadIdx.x & 31u) + 32 * step};
}

}  // namespace kernels::portability
