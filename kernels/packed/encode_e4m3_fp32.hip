#include "kernels/arithmetic/destination.hpp"
#include "kernels/packed/encode_e4m3.hpp"

extern "C" __global__ void __launch_bounds__(kernels::encode_e4m3_threads)
    encode_e4m3_fp32(fp4cts_encode_e4m3 args) {
  kernels::encode_e4m3<kernels::ToE4m3>(args);
}
