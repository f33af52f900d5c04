#include "kernels/arithmetic/table.hpp"
#include "kernels/packed/qmul4.hpp"

extern "C" __global__ void __launch_bounds__(kernels::qmul4_threads)
    qmul4_table(fp4cts_qmul4 args) {
  kernels::qmul4<kernels::Table<>>(args);
}
