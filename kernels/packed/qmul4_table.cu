#include "arithmetic/table.hpp"
#include "packed/qmul4.hpp"

extern "C" __global__ void __launch_bounds__(kernels::qmul4_threads)
    qmul4_table(kernels::Qmul4Args args) {
  kernels::qmul4<kernels::Table<>>(args);
}
