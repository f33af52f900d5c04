#include "kernels/arithmetic/table.hpp"
#include "kernels/nvfp4/gather_index_k.hpp"

// Look-ups take few registers: four blocks of 512 threads fill a multiprocessor.
extern "C" __global__ void __launch_bounds__(512, kernels::portability::blocks_that_fit(3, 512))
    nvfp4_gather_index_k_table(fp4cts_nvfp4_gather_index_k args) {
  kernels::gather_index_k<kernels::Table<>, kernels::IndexKLayout, 512>(args);
}
