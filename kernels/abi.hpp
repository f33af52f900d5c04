// The plain structs that the kernels take by value: pointers, strides, counts. This header is all
// that a host program needs to launch a kernel of this folder; it depends on nothing.
//
// Pointers are device pointers. Strides of pages are in bytes, of tables in elements. An argument's
// shape and contract are docs/design.md section 3's; a kernel trusts them and checks nothing.
// Pointers to typed elements are aligned to their type; what bytes need is said beside them.
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

// f32 to e4m3 over arrays: d[i] = e4m3_rne_satfinite(x[i]); every NaN is 7f. Grid: ceil(count /
// threads) blocks.
struct EncodeE4m3Args {
  const float* x;   // [count]
  std::uint8_t* d;  // [count]
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

// What decoded elements are written as.
enum class Destination : std::int32_t { e4m3, f32, bf16, f16 };

// MXFP4 pages of 8704 bytes, one for each (page, head), decoded in order. NaN is written as 7f,
// 7fc00000, 7fc0 and 7e00. Grid: num_pages * num_heads blocks, page-major.
struct Mxfp4DecodePagesArgs {
  const std::uint8_t* pages;       // [num_pages, num_heads, 8704], aligned to 8 bytes
  std::int64_t page_stride_bytes;  // a multiple of 8, as is the next
  std::int64_t head_stride_bytes;
  std::int32_t num_pages;
  std::int32_t num_heads;
  Destination destination;
  void* out;  // [num_pages, num_heads, 128, 128], contiguous, aligned to 16 bytes
};

// Gather of MXFP4 pages. Grid: num_reqs * max_num_pages * num_heads blocks, request-major; a block
// whose page lies past num_pages[request] does nothing.
struct Mxfp4GatherPagesArgs {
  const std::uint8_t* pages;       // [num_blocks, num_heads, 8704], aligned to 8 bytes
  std::int64_t page_stride_bytes;  // a multiple of 8, as is the next
  std::int64_t head_stride_bytes;
  const std::int32_t* block_table;   // [num_reqs, max_blocks], inner stride 1
  std::int64_t block_table_stride;   // elements from row to row
  const std::int32_t* num_pages;     // [num_reqs]
  const std::int32_t* page_offsets;  // [num_reqs] first output page
  std::int32_t num_reqs;
  std::int32_t max_num_pages;  // upper bound of num_pages
  std::int32_t num_heads;
  Destination destination;
  void* out;  // [>= sum(num_pages), num_heads, 128, 128], contiguous, aligned to 16 bytes
};

}  // namespace kernels
