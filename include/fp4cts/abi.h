/*
 * What an operation of fp4cts is given: one plain struct each, for the kernels in the box, which
 * take it by value, and for plug-ins, which get a pointer to it (fp4cts/dut.h). It is plain C with
 * nothing behind it, so that device code can include it.
 *
 * An operation's signature (harness/model/signature.hpp) says its tensors' shapes, strides and
 * dtypes as data, and fills the struct by the names of its members. A kernel trusts them and checks
 * nothing. `struct_bytes` is the size of the struct in the suite.
 */
#ifndef FP4CTS_ABI_H
#define FP4CTS_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Element types. */
#define FP4CTS_E4M3 0 /* OCP OFP8 E4M3: 0bSEEEEMMM, bias 7, NaN 7f and ff, no infinities */
#define FP4CTS_F32 1
#define FP4CTS_BF16 2
#define FP4CTS_F16 3
#define FP4CTS_E5M2 4 /* OCP OFP8 E5M2: bias 15, infinities 7c and fc */
#define FP4CTS_E2M1 5 /* one code in a byte, the upper four bits 0 */
#define FP4CTS_E8M0 6 /* 2^(byte - 127); 00 is 2^-127, ff is NaN */

/*
 * Every pointer is a pointer into the device's memory (on cpu: ordinary memory) to element
 * [0, ..., 0] of its tensor. A pool of pages may be stored in part, with only the pages around one
 * large page id: then that pointer itself lies outside of any allocation, and only the addresses of
 * pages that the call names are valid. Compute addresses in 64 bits: pools pass 2^31 bytes and so
 * do outputs.
 *
 * Alignment: pools lie at a multiple of 8 bytes and so do page and head strides; `out` lies at a
 * multiple of 16; tables and the arrays of qmul4, encode_e4m3 and convert at a multiple of their
 * element.
 * Nothing more can be relied on: pools do begin 8 bytes behind a multiple of 16.
 *
 * An E2M1 code is 0bSEEM, magnitudes 0 .5 1 1.5 2 3 4 6; two in a byte, the even element in the
 * low half. What the results are, to the bit, is a matter of the profile that you declare; under
 * "ocp": one rounding to nearest even, E4M3 overflow to +-448, NaN is 7f, -0 is kept.
 */

/* d[i] = a[i] * b[i] in each of four lanes, lane 0 lowest: E2M1 times E4M3, rounded to E4M3. */
typedef struct fp4cts_qmul4 {
  size_t struct_bytes;
  int64_t count;     /* of words; may be 0 */
  const uint16_t* a; /* [count] four E2M1 codes each */
  const uint32_t* b; /* [count] four E4M3 codes each */
  uint32_t* d;       /* [count] four E4M3 codes each */
} fp4cts_qmul4;

/* d[i] = x[i] rounded to E4M3, to nearest even; overflow and infinity to +-448. NaN is 7f. */
typedef struct fp4cts_encode_e4m3 {
  size_t struct_bytes;
  int64_t count;  /* of values; may be 0 */
  const float* x; /* [count] */
  uint8_t* d;     /* [count] */
} fp4cts_encode_e4m3;

/*
 * NVFP4 index-K pages, gathered through a block table and decoded to E4M3.
 *
 * A page is 128 tokens of 72 bytes, seen as 9216 bytes: first the codes, 64 bytes for each token;
 * then, from byte 8192 on, the scales: byte 8192 + 8 * token + group is the E4M3 scale of elements
 * 16 * group .. 16 * group + 15. For each request r and each p < num_pages[r], with
 * page = block_table[r][p]:
 *
 *     out[page_offsets[r] + p][token][element] = code(token, element) * scale(token, element / 16)
 *
 * and nothing else is written. Entries of the table from num_pages[r] on may hold anything and must
 * not be followed. num_reqs and max_num_pages may be 0. The kernels in the box have num_reqs *
 * max_num_pages blocks, request-major.
 */
typedef struct fp4cts_nvfp4_gather_index_k {
  size_t struct_bytes;
  const uint8_t* kv_cache;    /* [num_blocks, 128, 72], the last two strides 72 and 1 */
  int64_t num_blocks;         /* pages in the pool: every id is below it */
  int64_t page_stride_bytes;  /* from page to page, at least 9216 */
  const int32_t* block_table; /* [num_reqs, max_blocks], the last stride 1 */
  int64_t num_reqs;
  int64_t max_blocks;
  int64_t block_table_stride_elements; /* from row to row, in int32_t; may be 0 */
  const int32_t* num_pages;            /* [num_reqs] */
  const int32_t* page_offsets;         /* [num_reqs] first output page of each request */
  int64_t max_num_pages;               /* no num_pages[r] is larger */
  uint8_t* out;                        /* [out_pages, 128, 128] E4M3, contiguous */
  int64_t out_pages;
} fp4cts_nvfp4_gather_index_k;

/*
 * MXFP4 pages, decoded in order.
 *
 * A page of one head is 8704 bytes: first the codes, 64 bytes for each of 128 tokens; then, from
 * byte 8192 on, the scales: byte 8192 + 4 * token + group is the E8M0 scale of elements 32 * group
 * .. 32 * group + 31. E8M0 is 2^(byte - 127); 00 is 2^-127 and ff is NaN.
 *
 *     out[page][head][token][element] = code(token, element) * scale(token, element / 32)
 *
 * rounded once to out_dtype (f32, bf16, f16: to nearest even, overflow to infinity; e4m3: to
 * nearest even, overflow to +-448). NaN is 7f, 7fc00000, 7fc0, 7e00. The kernels in the box have
 * num_pages * num_heads blocks, page-major.
 */
typedef struct fp4cts_mxfp4_decode_pages {
  size_t struct_bytes;
  const uint8_t* pages; /* [num_pages, num_heads, 8704], the last stride 1 */
  int64_t num_pages;    /* may be 0 */
  int64_t num_heads;    /* 1 also where the tensor has no axis of heads */
  int64_t page_stride_bytes;
  int64_t head_stride_bytes;
  void* out;         /* [num_pages, num_heads, 128, 128] of out_dtype, contiguous */
  int32_t out_dtype; /* FP4CTS_E4M3, FP4CTS_F32, FP4CTS_BF16 or FP4CTS_F16 */
} fp4cts_mxfp4_decode_pages;

/*
 * MXFP4 pages through a block table: tables as in fp4cts_nvfp4_gather_index_k, pages and arithmetic
 * as in fp4cts_mxfp4_decode_pages.
 *
 *     out[page_offsets[r] + p][head] = the decoded page (block_table[r][p], head)
 *
 * The kernels in the box have num_reqs * max_num_pages * num_heads blocks, request-major.
 */
typedef struct fp4cts_mxfp4_gather_pages {
  size_t struct_bytes;
  const uint8_t* pages; /* [num_blocks, num_heads, 8704], the last stride 1 */
  int64_t num_blocks;
  int64_t num_heads; /* 1 also where the tensor has no axis of heads */
  int64_t page_stride_bytes;
  int64_t head_stride_bytes;
  const int32_t* block_table; /* [num_reqs, max_blocks], the last stride 1 */
  int64_t num_reqs;
  int64_t max_blocks;
  int64_t block_table_stride_elements; /* from row to row, in int32_t; may be 0 */
  const int32_t* num_pages;            /* [num_reqs] */
  const int32_t* page_offsets;         /* [num_reqs] */
  int64_t max_num_pages;               /* no num_pages[r] is larger */
  void* out; /* [out_pages, num_heads, 128, 128] of out_dtype, contiguous */
  int64_t out_pages;
  int32_t out_dtype;
} fp4cts_mxfp4_gather_pages;

/*
 * NVFP4 K and V pages through a block table: tables as in fp4cts_nvfp4_gather_index_k, pages of the
 * same 9216 bytes, plane 0 being K and plane 1 V.
 *
 *     out[page_offsets[r] + p][plane][head] = the decoded page (block_table[r][p], plane, head)
 *
 * rounded as in fp4cts_mxfp4_decode_pages. The scale of (token, group) is byte
 *
 *     nvfp4_gather_kv, K     8192 + 8 * token + group
 *     nvfp4_gather_kv, V     8192 + token / 4 * 32 + group * 4 + token % 4
 *     ..._swizzled, both     8192 + group / 4 * 512 + token % 32 * 16 + token / 32 * 4 + group % 4
 *
 * Strides are free, so that a pool [num_blocks, num_heads, 2, 9216] is given as well. The kernels
 * in the box have num_reqs * max_num_pages * 2 * num_heads blocks, request-major, then page and
 * plane.
 */
typedef struct fp4cts_nvfp4_gather_kv {
  size_t struct_bytes;
  const uint8_t* pages; /* [num_blocks, 2, num_heads, 9216], the last stride 1 */
  int64_t num_blocks;
  int64_t num_heads;
  int64_t page_stride_bytes;
  int64_t plane_stride_bytes; /* from a page of K to that of V */
  int64_t head_stride_bytes;
  const int32_t* block_table; /* [num_reqs, max_blocks], the last stride 1 */
  int64_t num_reqs;
  int64_t max_blocks;
  int64_t block_table_stride_elements; /* from row to row, in int32_t; may be 0 */
  const int32_t* num_pages;            /* [num_reqs] */
  const int32_t* page_offsets;         /* [num_reqs] */
  int64_t max_num_pages;               /* no num_pages[r] is larger */
  void* out; /* [out_pages, 2, num_heads, 128, 128] of out_dtype, contiguous */
  int64_t out_pages;
  int32_t out_dtype;
} fp4cts_nvfp4_gather_kv;

/*
 * Rows of 128 quantized into slots of NVFP4 index-K pages: of each 16 elements a scale is chosen
 * and stored, and the elements under it, as the rule of the profile says (docs/layouts.md,
 * writers).
 *
 *     slot = slot_mapping[token]; page slot / 128, token slot % 128 of it; -1 writes nothing
 *
 * No two rows have one slot. Every byte of a page that no slot owns stays as it is. The kernels in
 * the box have one thread for each scale block.
 */
typedef struct fp4cts_nvfp4_write_index_k {
  size_t struct_bytes;
  const void* rows; /* [num_tokens, 128] of rows_dtype, the last stride 1; 16-byte aligned */
  int64_t num_tokens;
  int64_t row_stride_bytes;    /* a multiple of 16 */
  const int64_t* slot_mapping; /* [num_tokens] */
  uint8_t* kv_cache;           /* [num_blocks, 128, 72], the last two strides 72 and 1 */
  int64_t num_blocks;
  int64_t page_stride_bytes; /* at least 9216 */
  int32_t rows_dtype;        /* FP4CTS_F32, FP4CTS_BF16 or FP4CTS_F16 */
} fp4cts_nvfp4_write_index_k;

/* The same into MXFP4 pages, each row of each head into a page of its own: scales of 32 elements.
 */
typedef struct fp4cts_mxfp4_write_pages {
  size_t struct_bytes;
  const void* rows; /* [num_tokens, num_heads, 128] of rows_dtype, the last stride 1 */
  int64_t num_tokens;
  int64_t num_heads; /* 1 also where the tensor has no axis of heads */
  int64_t row_stride_bytes;
  int64_t row_head_stride_bytes;
  const int64_t* slot_mapping; /* [num_tokens] */
  uint8_t* pages;              /* [num_blocks, num_heads, 8704], the last stride 1 */
  int64_t num_blocks;
  int64_t page_stride_bytes;
  int64_t head_stride_bytes;
  int32_t rows_dtype;
} fp4cts_mxfp4_write_pages;

/*
 * d[i] = x[i] in another format, rounded once to nearest even: F32, F16 and BF16 into E4M3, E5M2
 * and E2M1, and E4M3, E5M2, E8M0 and E2M1 into F32, F16 and BF16. Into the narrow ones overflow and
 * infinity give the largest number, and NaN is 7f, in E2M1 +6; into the wide ones overflow gives
 * infinity, and NaN is 7fc00000, 7e00, 7fc0.
 */
typedef struct fp4cts_convert {
  size_t struct_bytes;
  int64_t count;   /* of values; may be 0 */
  const void* x;   /* [count] of x_dtype */
  void* d;         /* [count] of d_dtype */
  int32_t x_dtype; /* FP4CTS_... */
  int32_t d_dtype;
} fp4cts_convert;

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* FP4CTS_ABI_H */
