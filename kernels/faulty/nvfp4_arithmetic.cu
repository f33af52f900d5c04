// NVFP4 gathers with one wrong step of arithmetic each. The entry is named after its class; a
// second variant of a class ends in _2.
#include "kernels/faulty/element_faults.hpp"
#include "kernels/nvfp4/gather_index_k.hpp"

using namespace kernels;
using namespace kernels::faulty;

extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_top_binade_saturates(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<EncTopBinadeSaturates>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_finite_overflow_to_nan(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<EncFiniteOverflowToNan>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_truncates(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<EncTruncates>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_ties_away(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<EncTiesAway>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_subnormal_flush(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<EncSubnormalFlush>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_subnormal_wrong_quantum(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<EncSubnormalWrongQuantum>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_negative_zero_lost(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<EncNegativeZeroLost>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_nan_swallowed_by_clamp(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<EncNanSwallowedByClamp>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_enc_nan_swallowed_by_clamp_2(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<EncNanSwallowedByClampMinFirst>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_fnuz_output(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<FnuzOutput>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_nan_sign(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<NanSign>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_tensor_scale_dropped_or_added(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<TensorScaleDroppedOrAdded>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_unsupported_arch_stub_returns_zero(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<UnsupportedArchStubReturnsZero>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_zero_code_short_circuit(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<ZeroCodeShortCircuit>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_element_subnormal_as_normal(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<ElementSubnormalAsNormal>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_element_table_doubled(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<ElementTableDoubled>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_e4m3_scale_subnormal_implicit_one(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<E4m3ScaleSubnormalImplicitOne>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_e4m3_scale_zero_not_zero(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<E4m3ScaleZeroNotZero>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_e4m3_scale_subnormal_flushed(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<E4m3ScaleSubnormalFlushed>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_e4m3_scale_nan_reads_480(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<E4m3ScaleNanReads480>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_e4m3_scale_top_binade_is_nan(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<E4m3ScaleTopBinadeIsNan>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_e4m3_scale_top_binade_is_nan_2(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<E4m3ScaleTopBinadeIsNanButItsFirst>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_e4m3_scale_sign_ignored(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<E4m3ScaleSignIgnored>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_scale_byte_used_as_integer(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<ScaleByteUsedAsInteger>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_scale_format_confused(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<ScaleFormatConfused>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_scale_rounded_to_power_of_two(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<ScaleRoundedToPowerOfTwo<false>>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_scale_rounded_to_power_of_two_2(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<ScaleRoundedToPowerOfTwo<true>>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_fnuz_scale_decode(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<FnuzScaleDecode>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_nibble_order_swapped(Nvfp4GatherIndexKArgs args) {
  gather_index_k<Reordered<NibbleOrderSwapped>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_word_order_reversed(Nvfp4GatherIndexKArgs args) {
  gather_index_k<Reordered<WordOrderReversed>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_second_element_of_pair_zero(Nvfp4GatherIndexKArgs args) {
  gather_index_k<Reordered<SecondElementOfPairZero>>(args);
}
