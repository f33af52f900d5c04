#include "kernels/nvfp4/gather_kv.hpp"

extern "C" __global__ void __launch_bounds__(kernels::page_threads, kernels::kv_blocks)
    nvfp4_gather_kv_fp32(fp4cts_nvfp4_gather_kv args) {
  kernels::gather_kv<kernels::ValuesInQuads>(args);
}

extern "C" __global__ void __launch_bounds__(kernels::page_threads, kernels::kv_blocks)
    nvfp4_gather_kv_swizzled_fp32(fp4cts_nvfp4_gather_kv args) {
  kernels::gather_kv<kernels::Swizzled128x4>(args);
}
