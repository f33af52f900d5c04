// NVFP4 gathers that take the wrong page, or read or write what they must not. Names as in
// nvfp4_arithmetic.cu.
#include "kernels/faulty/index_k_faults.hpp"

using namespace kernels;
using namespace kernels::faulty;

extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_strided_view_read_as_dense(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<>, StridedViewReadAsDense>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_page_stride_scaled_wrong(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<>, PageStrideScaledWrong>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_int32_byte_offset_overflow(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<>, Int32ByteOffsetOverflow<std::int32_t>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_int32_byte_offset_overflow_2(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<>, Int32ByteOffsetOverflow<std::uint32_t>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_int32_byte_offset_overflow_3(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<>, OutputInt32ByteOffsetOverflow>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_descriptor_range_returns_zero(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<>, DescriptorRangeReturnsZero>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_table_row_stride(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<>, TableRowStride>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_logical_index_used_for_scales(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<>, LogicalIndexUsedForScales>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_padding_entries_dereferenced(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<>, PaddingEntriesDereferenced>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_one_page_too_many(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<>, OnePageTooMany>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_captured_table_goes_stale(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<>, CapturedTableGoesStale>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_over_read_at_the_end(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<>, OverReadAtTheEnd>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_unwritten_tail(Nvfp4GatherIndexKArgs args) {
  gather_index_k<ElementWise<>, UnwrittenTail>(args);
}
