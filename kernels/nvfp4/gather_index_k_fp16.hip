#include "kernels/arithmetic/fp16.hpp"
#include "kernels/nvfp4/gather_index_k.hpp"

extern "C" __global__ void __launch_bounds__(kernels::gather_index_k_threads,
                                             kernels::gather_index_k_blocks)
    nvfp4_gather_index_k_fp16(fp4cts_nvfp4_gather_index_k args) {
  kernels::gather_index_k<kernels::Fp16>(args);
}
