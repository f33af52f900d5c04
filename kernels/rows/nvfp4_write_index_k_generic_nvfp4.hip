#include "kernels/rows/write.hpp"

extern "C" __global__ void __launch_bounds__(kernels::write_threads)
    nvfp4_write_index_k_generic_nvfp4(fp4cts_nvfp4_write_index_k args) {
  kernels::nvfp4_write<kernels::GenericNvfp4>(args);
}
