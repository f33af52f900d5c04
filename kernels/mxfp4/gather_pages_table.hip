#include "kernels/mxfp4/pages.hpp"
#include "kernels/mxfp4/paths.hpp"

// Look-ups take few registers: four blocks of 512 threads fill a multiprocessor.
extern "C" __global__ void __launch_bounds__(512, 2)
    mxfp4_gather_pages_table(fp4cts_mxfp4_gather_pages args) {
  kernels::mxfp4_page<kernels::Mxfp4Table, kernels::Mxfp4Layout, 512>(args);
}
