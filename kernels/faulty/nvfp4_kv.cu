// Gathers of K and V pages that are wrong on purpose. An entry is named <operation>_<class>.
#include "kernels/nvfp4/gather_kv.hpp"

namespace kernels::faulty {

struct ByToken {
  __device__ static std::int64_t scale_of(std::int64_t /*plane*/, std::int64_t piece) {
    return piece;
  }
};

struct AllInQuads {
  __device__ static std::int64_t scale_of(std::int64_t /*plane*/, std::int64_t piece) {
    return ValuesInQuads::scale_of(1, piece);
  }
};

// Planes and heads without gaps, whatever their strides.
struct DenseSides : KvLayout<ValuesInQuads> {
  template <class Self>
  __device__ static Source source(const fp4cts_nvfp4_gather_kv& args, const PagePlace& place) {
    const std::uint8_t* const base =
        args.pages + place.page_id * args.page_stride_bytes + place.head * page_bytes;
    return {base, base + scales_offset, place.head < args.num_heads ? 0 : 1};
  }
};

}  // namespace kernels::faulty

using namespace kernels;

extern "C" __global__ void __launch_bounds__(page_threads)
    nvfp4_gather_kv_scale_order_linear(fp4cts_nvfp4_gather_kv args) {
  gather_kv<faulty::ByToken>(args);
}
extern "C" __global__ void __launch_bounds__(page_threads)
    nvfp4_gather_kv_value_scale_4_token_interleave(fp4cts_nvfp4_gather_kv args) {
  gather_kv<faulty::AllInQuads>(args);
}
extern "C" __global__ void __launch_bounds__(page_threads)
    nvfp4_gather_kv_strided_view_read_as_dense(fp4cts_nvfp4_gather_kv args) {
  decode_page<Nvfp4Fp32, faulty::DenseSides>(args);
}
extern "C" __global__ void __launch_bounds__(page_threads)
    nvfp4_gather_kv_swizzled_scale_order_linear(fp4cts_nvfp4_gather_kv args) {
  gather_kv<faulty::ByToken>(args);
}
