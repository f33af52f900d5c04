// MXFP4 decodes whose faults show in wide outputs, or in them alone. Names as in
// nvfp4_arithmetic.cu.
#include "kernels/faulty/mxfp4_faults.hpp"

using namespace kernels;
using namespace kernels::faulty;

extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_decode_pages_flush_to_zero_default_differs(fp4cts_mxfp4_decode_pages args) {
  wrong_page<F32SubnormalsFlushed<false>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_decode_pages_flush_to_zero_default_differs_2(fp4cts_mxfp4_decode_pages args) {
  wrong_page<F32SubnormalsFlushed<true>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_decode_pages_unsupported_arch_stub_returns_zero(fp4cts_mxfp4_decode_pages args) {
  wrong_page<StubReturnsZero>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_decode_pages_zero_code_short_circuit(fp4cts_mxfp4_decode_pages args) {
  wrong_page<ZeroCodeSkipsScale>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_decode_pages_e8m0_code_0_flushed(fp4cts_mxfp4_decode_pages args) {
  wrong_page<Code0Flushed>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_decode_pages_e8m0_nan_becomes_inf(fp4cts_mxfp4_decode_pages args) {
  wrong_page<NanBecomesInf>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_decode_pages_e8m0_nan_becomes_inf_2(fp4cts_mxfp4_decode_pages args) {
  wrong_page<ByteShiftedBy23>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_decode_pages_e8m0_nan_ignored(fp4cts_mxfp4_decode_pages args) {
  wrong_page<NanIgnored>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_decode_pages_e8m0_code_0_means_one(fp4cts_mxfp4_decode_pages args) {
  wrong_page<Code0MeansOne>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_decode_pages_e8m0_integer_shift(fp4cts_mxfp4_decode_pages args) {
  wrong_page<IntegerShift>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_decode_pages_e8m0_bias_off_by_one(fp4cts_mxfp4_decode_pages args) {
  wrong_page<BiasOffByOne>(args);
}
