// Conversions over arrays: one thread for one element.
#include "kernels/arithmetic/convert.hpp"

namespace kernels {

inline constexpr unsigned convert_threads = 256;

}  // namespace kernels

extern "C" __global__ void __launch_bounds__(kernels::convert_threads)
    convert_bits(fp4cts_convert args) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kernels::convert_threads + threadIdx.x;
  if (i >= args.count) return;
  kernels::put_value(args.d, args.d_dtype, i, kernels::value_of(args.x, args.x_dtype, i));
}
