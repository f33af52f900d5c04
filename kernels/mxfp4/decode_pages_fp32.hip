#include "kernels/mxfp4/pages.hpp"
#include "kernels/mxfp4/paths.hpp"

extern "C" __global__ void __launch_bounds__(kernels::mxfp4_threads, kernels::mxfp4_decode_blocks)
    mxfp4_decode_pages_fp32(fp4cts_mxfp4_decode_pages args) {
  kernels::mxfp4_page<kernels::Mxfp4Fp32>(args);
}
