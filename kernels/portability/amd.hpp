// The words of HIP that the kernels use, as attributes and builtins of clang, so that AMD images
// need neither a HIP header nor AMD's device library. Included by portability/device.hpp, for
// device code alone.
#pragma once

// NOLINTBEGIN(bugprone-reserved-identifier): these words are HIP's, and hipcc brings some of them.
#ifndef __global__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#endif
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
// The second argument of HIP is about multiprocessors, which the kernels' numbers are not.
#undef __launch_bounds__
#define __launch_bounds__(threads, ...) __attribute__((amdgpu_flat_work_group_size(1, threads)))
// NOLINTEND(bugprone-reserved-identifier)

namespace kernels::portability {

struct Index {
  unsigned x;
};

__device__ __forceinline__ Index block_index() { return {__builtin_amdgcn_workgroup_id_x()}; }
__device__ __forceinline__ Index thread_index() { return {__builtin_amdgcn_workitem_id_x()}; }

}  // namespace kernels::portability

#define blockIdx ::kernels::portability::block_index()
#define threadIdx ::kernels::portability::thread_index()
