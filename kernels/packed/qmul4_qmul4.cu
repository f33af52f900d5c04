#include "kernels/arithmetic/qmul4.hpp"
#include "kernels/packed/qmul4.hpp"

extern "C" __global__ void __launch_bounds__(kernels::qmul4_threads)
    qmul4_qmul4(fp4cts_qmul4 args) {
  kernels::qmul4<kernels::Qmul4>(args);
}
