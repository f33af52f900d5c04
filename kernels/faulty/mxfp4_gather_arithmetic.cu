// MXFP4 gathers with one wrong step of arithmetic each. Names as in nvfp4_arithmetic.cu.
#include "kernels/faulty/mxfp4_faults.hpp"

using namespace kernels;
using namespace kernels::faulty;

extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_enc_top_binade_saturates(fp4cts_mxfp4_gather_pages args) {
  wrong_page<WrongE4m3<EncTopBinadeSaturates>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_enc_finite_overflow_to_nan(fp4cts_mxfp4_gather_pages args) {
  wrong_page<WrongE4m3<EncFiniteOverflowToNan>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_enc_truncates(fp4cts_mxfp4_gather_pages args) {
  wrong_page<WrongE4m3<EncTruncates>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_enc_ties_away(fp4cts_mxfp4_gather_pages args) {
  wrong_page<WrongE4m3<EncTiesAway>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_enc_subnormal_flush(fp4cts_mxfp4_gather_pages args) {
  wrong_page<WrongE4m3<EncSubnormalFlush>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_enc_subnormal_wrong_quantum(fp4cts_mxfp4_gather_pages args) {
  wrong_page<WrongE4m3<EncSubnormalWrongQuantum>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_enc_negative_zero_lost(fp4cts_mxfp4_gather_pages args) {
  wrong_page<NegativeZeroLost>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_enc_nan_swallowed_by_clamp(fp4cts_mxfp4_gather_pages args) {
  wrong_page<WrongE4m3<EncNanSwallowedByClamp>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_enc_nan_swallowed_by_clamp_2(fp4cts_mxfp4_gather_pages args) {
  wrong_page<WrongE4m3<EncNanSwallowedByClampMinFirst>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_f32_overflow_inf_to_nan(fp4cts_mxfp4_gather_pages args) {
  wrong_page<WrongE4m3<F32OverflowInfToNan>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_fnuz_output(fp4cts_mxfp4_gather_pages args) {
  wrong_page<WrongE4m3<FnuzOutput>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_flush_to_zero_default_differs(fp4cts_mxfp4_gather_pages args) {
  wrong_page<F32SubnormalsFlushed<false>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_flush_to_zero_default_differs_2(fp4cts_mxfp4_gather_pages args) {
  wrong_page<F32SubnormalsFlushed<true>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_unsupported_arch_stub_returns_zero(fp4cts_mxfp4_gather_pages args) {
  wrong_page<StubReturnsZero>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_zero_code_short_circuit(fp4cts_mxfp4_gather_pages args) {
  wrong_page<ZeroCodeSkipsScale>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_element_subnormal_as_normal(fp4cts_mxfp4_gather_pages args) {
  wrong_page<WrongCode<ElementSubnormalAsNormal>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_element_table_doubled(fp4cts_mxfp4_gather_pages args) {
  wrong_page<WrongCode<ElementTableDoubled>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_scale_byte_used_as_integer(fp4cts_mxfp4_gather_pages args) {
  wrong_page<ByteUsedAsInteger>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_scale_format_confused(fp4cts_mxfp4_gather_pages args) {
  wrong_page<FormatConfused>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_e8m0_code_0_flushed(fp4cts_mxfp4_gather_pages args) {
  wrong_page<Code0Flushed>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_e8m0_nan_becomes_inf(fp4cts_mxfp4_gather_pages args) {
  wrong_page<NanBecomesInf>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_e8m0_nan_becomes_inf_2(fp4cts_mxfp4_gather_pages args) {
  wrong_page<ByteShiftedBy23>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_e8m0_nan_ignored(fp4cts_mxfp4_gather_pages args) {
  wrong_page<NanIgnored>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_e8m0_code_0_means_one(fp4cts_mxfp4_gather_pages args) {
  wrong_page<Code0MeansOne>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_e8m0_integer_shift(fp4cts_mxfp4_gather_pages args) {
  wrong_page<IntegerShift>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_e8m0_bias_off_by_one(fp4cts_mxfp4_gather_pages args) {
  wrong_page<BiasOffByOne>(args);
}
