// NVFP4 gathers with one wrong step of arithmetic each. The entry is named after its class; a
// second variant of a class ends in _2.
#include "kernels/faulty/element_faults.hpp"
#include "kernels/nvfp4/gather_index_k.hpp"

using namespace kernels;
using namespace kernels::faulty;

extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_top_binade_saturates(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<EncTopBinadeSaturates>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_finite_overflow_to_nan(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<EncFiniteOverflowToNan>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_truncates(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<EncTruncates>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_ties_away(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<EncTiesAway>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_subnormal_flush(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<EncSubnormalFlush>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_subnormal_wrong_quantum(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<EncSubnormalWrongQuantum>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_negative_zero_lost(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<EncNegativeZeroLost>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_nan_swallowed_by_clamp(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<EncNanSwallowedByClamp>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_nan_swallowed_by_clamp_2(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<EncNanSwallowedByClampMinFirst>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_fnuz_output(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<FnuzOutput>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_nan_sign(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<NanSign>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_tensor_scale_dropped_or_added(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<TensorScaleDroppedOrAdded>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_unsupported_arch_stub_returns_zero(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<UnsupportedArchStubReturnsZero>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_zero_code_short_circuit(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<ZeroCodeShortCircuit>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_element_subnormal_as_normal(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<ElementSubnormalAsNormal>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_element_table_doubled(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<ElementTableDoubled>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_e4m3_scale_subnormal_implicit_one(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<E4m3ScaleSubnormalImplicitOne>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_e4m3_scale_zero_not_zero(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<E4m3ScaleZeroNotZero>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_e4m3_scale_subnormal_flushed(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<E4m3ScaleSubnormalFlushed>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_e4m3_scale_nan_reads_480(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<E4m3ScaleNanReads480>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_e4m3_scale_top_binade_is_nan(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<E4m3ScaleTopBinadeIsNan>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_e4m3_scale_top_binade_is_nan_2(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<E4m3ScaleTopBinadeIsNanButItsFirst>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_e4m3_scale_sign_ignored(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<E4m3ScaleSignIgnored>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_scale_byte_used_as_integer(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<ScaleByteUsedAsInteger>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_scale_format_confused(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<ScaleFormatConfused>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_scale_rounded_to_power_of_two(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<ScaleRoundedToPowerOfTwo<false>>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_scale_rounded_to_power_of_two_2(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<ScaleRoundedToPowerOfTwo<true>>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_fnuz_scale_decode(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<FnuzScaleDecode>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_nibble_order_swapped(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<Reordered<NibbleOrderSwapped>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_word_order_reversed(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<Reordered<WordOrderReversed>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_second_element_of_pair_zero(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<Reordered<SecondElementOfPairZero>>(args);
}
