#include "kernels/arithmetic/fp32.hpp"
#include "kernels/packed/qmul4.hpp"

extern "C" __global__ void __launch_bounds__(kernels::qmul4_threads) qmul4_fp32(fp4cts_qmul4 args) {
  kernels::qmul4<kernels::Fp32>(args);
}
