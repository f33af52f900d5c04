// MXFP4 gathers that look in the wrong place. Names as in nvfp4_arithmetic.cu.
#include "kernels/faulty/mxfp4_page_faults.hpp"

using namespace kernels;
using namespace kernels::faulty;

extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_nibble_order_swapped(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4NibbleOrderSwapped>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_group_term_missing_in_data_index(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4GroupTermMissing>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_scale_index_off_by_one_element(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4ScaleOffByOneElement>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_scale_group_zero_for_all(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4ScaleGroupZeroForAll>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_group_size_of_the_other_format(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4GroupsOf16>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_group_size_of_the_other_format_2(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4GroupsOf16RowsToo>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_group_size_of_the_other_format_3(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4WrongDistance<PagesOf9216, Mxfp4GroupsOf16RowsToo>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_scale_swizzled_128x4(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4ScaleSwizzled128x4>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_value_scale_4_token_interleave(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4Scale4TokenInterleave>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_scales_before_data(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4ScalesBeforeData>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_page_size_mismatch(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4PageOfTokens<64>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_page_size_mismatch_2(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4PageOfTokens<16>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_head_and_block_dims_confused(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4PageOfTokens<8>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_scale_plane_not_copied(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4ScalePlaneNotCopied>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_strided_view_read_as_dense(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4WrongDistance<DensePages>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_strided_view_read_as_dense_2(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4WrongDistance<DenseHeads>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_strided_view_read_as_dense_3(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4WrongDistance<PagesOf9216>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_page_stride_scaled_wrong(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4WrongDistance<FourfoldStride>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_int32_byte_offset_overflow(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4Int32Offset<std::int32_t>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_int32_byte_offset_overflow_2(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4Int32Offset<std::uint32_t>>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_int32_byte_offset_overflow_3(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4OutputBytesInt32>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_int32_byte_offset_overflow_4(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4OutputElementsInt32>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_descriptor_range_returns_zero(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4DescriptorRange>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_table_row_stride(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4TableRowStride>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_logical_index_used_for_scales(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4LogicalIndexForScales>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_padding_entries_dereferenced(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4PaddingEntriesDereferenced>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_over_read_at_the_end(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4OverReadAtTheEnd>(args);
}
extern "C" __global__ void __launch_bounds__(mxfp4_threads)
    mxfp4_gather_pages_unwritten_tail(fp4cts_mxfp4_gather_pages args) {
  wrong_page<PlainSteps, Mxfp4UnwrittenTail>(args);
}
