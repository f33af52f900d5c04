// A loop that is always unrolled, in every dialect, so that an array indexed by its counter stays
// in registers; and how a block shares out work. Included by portability/device.hpp.
#pragma once

#include <cstdint>

namespace kernels::portability {

// body(0), body(1), ... body(count - 1)
template <unsigned count, unsigned next = 0, class Body>
__device__ __forceinline__ void unrolled(const Body& body) {
  if constexpr (next < count) {
#if defined(__HIP_DEVICE_COMPILE__)
    [[clang::always_inline]] body(next);  // or a large one is called, with its array in memory
#else
    body(next);
#endif
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

// Takes shared memory that nothing uses, so that a multiprocessor of 228 KiB (capability 9 and 10)
// has room for four blocks of this kernel and no more: fewer blocks that fetch ahead keep its
// memory busier than many (docs/kernels.md).
__device__ __forceinline__ void leave_room_for_four_blocks() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200
  __shared__ std::uint32_t unused[46 * 256];
  asm volatile("" : : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(unused))));
#endif
}

}  // namespace kernels::portability
