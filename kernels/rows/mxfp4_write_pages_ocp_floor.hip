#include "kernels/rows/write.hpp"

extern "C" __global__ void __launch_bounds__(kernels::write_threads)
    mxfp4_write_pages_ocp_floor(fp4cts_mxfp4_write_pages args) {
  kernels::mxfp4_write<kernels::Aiter<kernels::Floor>>(args);
}
