// Conversions from f32 to e4m3 with one wrong step each. The entry is named after its class; a
// second variant of a class ends in _2.
#include "kernels/faulty/encode_faults.hpp"
#include "kernels/packed/encode_e4m3.hpp"

using namespace kernels;
using namespace kernels::faulty;

extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_enc_top_binade_saturates(fp4cts_encode_e4m3 args) {
  encode_e4m3<EncTopBinadeSaturates>(args);
}
extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_enc_finite_overflow_to_nan(fp4cts_encode_e4m3 args) {
  encode_e4m3<EncFiniteOverflowToNan>(args);
}
extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_enc_truncates(fp4cts_encode_e4m3 args) {
  encode_e4m3<EncTruncates>(args);
}
extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_enc_ties_away(fp4cts_encode_e4m3 args) {
  encode_e4m3<EncTiesAway>(args);
}
extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_enc_subnormal_flush(fp4cts_encode_e4m3 args) {
  encode_e4m3<EncSubnormalFlush>(args);
}
extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_enc_subnormal_wrong_quantum(fp4cts_encode_e4m3 args) {
  encode_e4m3<EncSubnormalWrongQuantum>(args);
}
extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_enc_normal_carry_lost(fp4cts_encode_e4m3 args) {
  encode_e4m3<EncNormalCarryLost>(args);
}
extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_enc_negative_zero_lost(fp4cts_encode_e4m3 args) {
  encode_e4m3<EncNegativeZeroLost>(args);
}
extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_enc_nan_swallowed_by_clamp(fp4cts_encode_e4m3 args) {
  encode_e4m3<EncNanSwallowedByClamp>(args);
}
extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_enc_nan_swallowed_by_clamp_2(fp4cts_encode_e4m3 args) {
  encode_e4m3<EncNanSwallowedByClampMinFirst>(args);
}
extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_f32_overflow_inf_to_nan(fp4cts_encode_e4m3 args) {
  encode_e4m3<InfinityToNan>(args);
}
extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_double_rounding(fp4cts_encode_e4m3 args) {
  encode_e4m3<DoubleRoundingByF16>(args);
}
extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_double_rounding_2(fp4cts_encode_e4m3 args) {
  encode_e4m3<DoubleRoundingByBf16>(args);
}
extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_nan_sign(fp4cts_encode_e4m3 args) {
  encode_e4m3<NanKeepsItsSign>(args);
}
extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_fnuz_output(fp4cts_encode_e4m3 args) {
  encode_e4m3<FnuzOutput>(args);
}
extern "C" __global__ void __launch_bounds__(encode_e4m3_threads)
    encode_e4m3_unsupported_arch_stub_returns_zero(fp4cts_encode_e4m3 args) {
  encode_e4m3<UnsupportedArchStubReturnsZero>(args);
}
