// NVFP4 gathers that take the wrong page, or read or write what they must not. Names as in
// nvfp4_arithmetic.cu.
#include "kernels/faulty/index_k_faults.hpp"

using namespace kernels;
using namespace kernels::faulty;

extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_strided_view_read_as_dense(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, StridedViewReadAsDense>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_page_stride_scaled_wrong(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, PageStrideScaledWrong>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_int32_byte_offset_overflow(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, Int32ByteOffsetOverflow<std::int32_t>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_int32_byte_offset_overflow_2(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, Int32ByteOffsetOverflow<std::uint32_t>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_int32_byte_offset_overflow_3(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, OutputInt32ByteOffsetOverflow>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_descriptor_range_returns_zero(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, DescriptorRangeReturnsZero>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_table_row_stride(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, TableRowStride>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_logical_index_used_for_scales(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, LogicalIndexUsedForScales>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_padding_entries_dereferenced(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, PaddingEntriesDereferenced>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_one_page_too_many(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, OnePageTooMany>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_captured_table_goes_stale(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, CapturedTableGoesStale>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_over_read_at_the_end(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, OverReadAtTheEnd>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_unwritten_tail(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, UnwrittenTail>(args);
}
