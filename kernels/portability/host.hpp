// The words of CUDA and HIP that the kernels use, for the host compiler. A kernel becomes a plain
// function that runs one thread of the grid: the launcher sets the indices below and calls it for
// each. So a kernel with a host form has no barrier, no shuffle and no shared memory.
#pragma once

// NOLINTBEGIN(bugprone-reserved-identifier): these words are CUDA's and HIP's.
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
// NOLINTEND(bugprone-reserved-identifier)

namespace kernels::portability {

struct Index {
  unsigned x = 0;
  unsigned y = 0;
  unsigned z = 0;
};

inline constinit thread_local Index block_index;
inline constinit thread_local Index thread_index;

}  // namespace kernels::portability

#define blockIdx ::kernels::portability::block_index
#define threadIdx ::kernels::portability::thread_index
