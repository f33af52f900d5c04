// The plain structs that the kernels take by value: pointers, strides, counts. This header is all
// that a host program needs to launch a kernel of this folder; it depends on nothing.
//
// Pointers are device pointers. Strides of pages are in bytes, of tables in elements. An argument's
// shape and contract are DESIGN.md section 3's; a kernel trusts them and checks nothing. Pointers
// to typed elements are aligned to their type; what bytes need is said beside them.
#pragma once

#include <cstdint>

namespace kernels {

// qmul4 over arrays: d[i] = e4m3_rne_satfinite(e2m1(a[i]) * e4m3(b[i])) in each of four lanes, lane
// 0 lowest. Grid: ceil(count / threads) blocks.
struct Qmul4Args {
  const std::uint16_t* a;  // [count] four e2m1 codes each
  const std::uint32_t* b;  // [count] four e4m3 codes each
  std::uint32_t* d;        // [count] four e4m3 codes each
  std::int64_t count;
};

// Gather of NVFP4 index-K pages. Grid: num_reqs * max_num_pages blocks, request-major; a block
// whose page lies past num_pages[request] does nothing.
struct Nvfp4GatherIndexKArgs {
  const std::uint8_t* kv_cache;     // [num_blocks, 128, 72], inner strides 72 and 1; 8-byte aligned
  std::int64_t page_stride_bytes;   // >= 9216, a multiple of 8
  const std::int32_t* block_table;  // [num_reqs, max_blocks], inner stride 1
  std::int64_t block_table_stride;  // elements from row to row
  const std::int32_t* num_pages;    // [num_reqs]
  const std::int32_t* page_offsets;  // [num_reqs] first output page
  std::int32_t num_reqs;
  std::int32_t max_num_pages;  // upper bound of num_pages
  std::uint8_t* out;           // [>= sum(num_pages), 128, 128] e4m3, contiguous; 16-byte aligned
};

}  // namespace kernels
