// NVFP4 gathers that look in the wrong place of a page. Names as in nvfp4_arithmetic.cu.
#include "kernels/faulty/index_k_faults.hpp"

using namespace kernels;
using namespace kernels::faulty;

extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_group_term_missing_in_data_index(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, GroupTermMissingInDataIndex>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_preshuffled_tile_order(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, PreshuffledTileOrder>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_scale_group_zero_for_all(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, ScaleGroupZeroForAll>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_group_size_of_the_other_format(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, GroupSizeOfTheOtherFormat>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_group_size_of_the_other_format_2(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, GroupSizeOfTheOtherFormatRowsToo>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_scale_swizzled_128x4(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, ScaleSwizzled128x4>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_value_scale_4_token_interleave(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, ValueScale4TokenInterleave>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_scales_before_data(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, ScalesBeforeData>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_page_size_mismatch(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, PageOfTokens<64>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_page_size_mismatch_2(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, PageOfTokens<16>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_head_and_block_dims_confused(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<ElementWise<>, PageOfTokens<8>>(args);
}
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_scale_index_off_by_one_element(fp4cts_nvfp4_gather_index_k args) {
  gather_index_k<LastElementByNextScale, ScaleIndexOffByOneElement>(args);
}
