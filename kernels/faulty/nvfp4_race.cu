// A gather of NVFP4 pages without the barrier that it needs. For CUDA alone: on a CPU one thread of
// the grid runs after the other, and nothing races.
#include "kernels/arithmetic/element.hpp"
#include "kernels/nvfp4/gather_index_k.hpp"

using namespace kernels;

namespace {

constexpr unsigned piece = 8;  // bytes that one asynchronous copy takes

__device__ void copy_async(std::uint8_t* to_shared, const std::uint8_t* from) {
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(to_shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(piece));
}

// For the copies of this thread alone.
__device__ void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

}  // namespace

// Threads copy the page into shared memory, eight bytes at a time. Each waits for its own copies
// and then decodes groups whose bytes threads of another warp have copied: only what these happen
// to have brought by then is right.
extern "C" __global__ void __launch_bounds__(gather_index_k_threads)
    nvfp4_gather_index_k_missing_barrier_after_async_copy(fp4cts_nvfp4_gather_index_k args) {
  __shared__ alignas(16) std::uint8_t staged[IndexKLayout::page_bytes];
  const auto pages = static_cast<unsigned>(args.max_num_pages);
  const unsigned request = blockIdx.x / pages;
  const unsigned page = blockIdx.x % pages;
  if (!IndexKLayout::holds(args, request, page)) return;
  const auto source = IndexKLayout::source<IndexKLayout>(args, request, page);
  std::uint8_t* const destination = IndexKLayout::destination(args, request, page);

  for (unsigned at = piece * threadIdx.x; at < IndexKLayout::page_bytes; at += piece * blockDim.x) {
    copy_async(staged + at, source.codes + at);
  }
  wait_for_copies();
  // Here __syncthreads() is missing.
  const IndexKLayout::Source here{staged, staged + IndexKLayout::scales_offset};
  for (unsigned group = blockDim.x - 1 - threadIdx.x; group < IndexKLayout::groups;
       group += blockDim.x) {
    const ScaledCodes in{*reinterpret_cast<const Codes16*>(here.codes + 8 * group),
                         here.scales[group]};
    portability::store_streaming(destination + IndexKLayout::output_of(group),
                                 ElementWise<>::group(in));
  }
}
