/*
 * The whole contract between fp4cts and a plug-in: a shared library with kernels under test.
 *
 *     fp4cts run --dut ./my_kernels.so
 *
 * A plug-in exports two functions with C linkage, fp4cts_dut_version and fp4cts_dut_declare (at
 * the end of this file), and is otherwise what you like: C, C++, CUDA, HIP, a wrapper around the
 * library that you ship. This header needs nothing but the C library; it is C99 and C++.
 * docs/plug-ins.md has a walk through it, examples/dut/ has templates that build with one command.
 *
 * The plug-in is loaded with dlopen into a process of its own, one for each device. If it crashes,
 * hangs or fails, that is the result of that case, and the run goes on in a fresh process. All
 * calls come from one thread, one after another. A C++ exception must not leave a plug-in: it
 * aborts that process.
 *
 * Output bytes are compared with an exact model, with no tolerance. So are the bytes that a call
 * must leave alone: the rest of the output, every input, and guard zones around all of them.
 */
#ifndef FP4CTS_DUT_H
#define FP4CTS_DUT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when a plug-in that was built before can no longer be understood. Members that are added
 * do not change it: they come at the end of a struct, and sizes tell (fp4cts_dut_sizes). */
#define FP4CTS_DUT_VERSION 1u

/* Kinds of device, as bits. */
#define FP4CTS_CPU 1u
#define FP4CTS_CUDA 2u
#define FP4CTS_HIP 4u

/* What an entry returns. Any value but FP4CTS_OK is a failure of that case, an error, not wrong
 * bytes. What a plug-in does not implement it does not declare, instead of failing. */
#define FP4CTS_OK 0
#define FP4CTS_FAILED 1

/* Element types of an output. */
#define FP4CTS_E4M3 0 /* OCP OFP8 E4M3: 0bSEEEEMMM, bias 7, NaN 7f and ff, no infinities */
#define FP4CTS_F32 1
#define FP4CTS_BF16 2
#define FP4CTS_F16 3

/*
 * Where a call is made, and where it puts what it has to say.
 *
 * A call may return before its work is done: the suite waits for the device, and takes an error
 * that it then reports (an illegal address, say) as the result of that call. On CUDA the device's
 * primary context is current in the calling thread, so that the runtime API (cudaMalloc, <<<>>>)
 * works at once; on HIP the device is set.
 */
typedef struct fp4cts_call {
  size_t struct_bytes;    /* sizeof(fp4cts_call) in the suite */
  const char* device;     /* "cpu", "cuda:0", "hip:1" */
  uint32_t device_kind;   /* FP4CTS_CPU, FP4CTS_CUDA or FP4CTS_HIP */
  int32_t device_ordinal; /* 1 of "hip:1"; 0 for cpu */
  void* stream;           /* a cudaStream_t or CUstream, or a hipStream_t; null on cpu */
  char* error;            /* write why it failed here, zero-terminated: snprintf(call->error, */
  size_t error_bytes;     /* call->error_bytes, ...); it becomes the reason in the results */
} fp4cts_call;

/*
 * The operations. Every pointer is a pointer into the device's memory (on cpu: ordinary memory) to
 * element [0, ..., 0] of its tensor. A pool of pages may be stored in part, with only the pages
 * around one large page id: then that pointer itself lies outside of any allocation, and only the
 * addresses of pages that the call names are valid. Compute addresses in 64 bits: pools pass 2^31
 * bytes and so do outputs.
 *
 * Alignment: pools lie at a multiple of 8 bytes and so do page and head strides; `out` lies at a
 * multiple of 16; tables and the arrays of qmul4 and encode_e4m3 at a multiple of their element.
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
 * not be followed. num_reqs and max_num_pages may be 0.
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
 * nearest even, overflow to +-448). NaN is 7f, 7fc00000, 7fc0, 7e00.
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
 * The sizes that a plug-in was compiled with. The suite refuses a plug-in that knows members which
 * the suite does not pass; one that was built with an older header goes on working.
 */
typedef struct fp4cts_dut_sizes {
  size_t sizes;
  size_t declaration;
  size_t call;
  size_t qmul4;
  size_t encode_e4m3;
  size_t nvfp4_gather_index_k;
  size_t mxfp4_decode_pages;
  size_t mxfp4_gather_pages;
} fp4cts_dut_sizes;

/* What a plug-in says of itself. Strings and the struct itself stay valid. */
typedef struct fp4cts_dut_declaration {
  const fp4cts_dut_sizes* sizes; /* fp4cts_dut_sizes_here() */

  /* The name of its rows in results and of --path: letters, digits and _ . + -, at most 64. */
  const char* name;
  /* The choices that its arithmetic makes: "ocp", "cuda", "fnuz", "shift23", or a profile of your
   * own as a JSON file (docs/profiles.md). The bytes are judged by it. */
  const char* profile;
  /* FP4CTS_CPU | FP4CTS_CUDA | FP4CTS_HIP: where it runs. */
  uint32_t device_kinds;
  /* What it was built with, for the results: "nvcc 13.0, sm_90a". May be null. */
  const char* toolkit;

  /* Called once in each process, before the first call there: a place to set things up. Returns
   * null, or why the plug-in cannot run on that device ("needs compute capability 10.0"), which is
   * recorded. May be null. */
  const char* (*prepare)(const fp4cts_call* call);

  /* An entry for each operation; null for one that is not implemented. */
  int32_t (*qmul4)(const fp4cts_call* call, const fp4cts_qmul4* arguments);
  int32_t (*encode_e4m3)(const fp4cts_call* call, const fp4cts_encode_e4m3* arguments);
  int32_t (*nvfp4_gather_index_k)(const fp4cts_call* call,
                                  const fp4cts_nvfp4_gather_index_k* arguments);
  int32_t (*mxfp4_decode_pages)(const fp4cts_call* call,
                                const fp4cts_mxfp4_decode_pages* arguments);
  int32_t (*mxfp4_gather_pages)(const fp4cts_call* call,
                                const fp4cts_mxfp4_gather_pages* arguments);
} fp4cts_dut_declaration;

static inline const fp4cts_dut_sizes* fp4cts_dut_sizes_here(void) {
  static const fp4cts_dut_sizes sizes = {sizeof(fp4cts_dut_sizes),
                                         sizeof(fp4cts_dut_declaration),
                                         sizeof(fp4cts_call),
                                         sizeof(fp4cts_qmul4),
                                         sizeof(fp4cts_encode_e4m3),
                                         sizeof(fp4cts_nvfp4_gather_index_k),
                                         sizeof(fp4cts_mxfp4_decode_pages),
                                         sizeof(fp4cts_mxfp4_gather_pages)};
  return &sizes;
}

/* What a plug-in exports. The first is called before anything else: return FP4CTS_DUT_VERSION. */
#define FP4CTS_DUT_EXPORT __attribute__((visibility("default")))
FP4CTS_DUT_EXPORT uint32_t fp4cts_dut_version(void);
FP4CTS_DUT_EXPORT const fp4cts_dut_declaration* fp4cts_dut_declare(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* FP4CTS_DUT_H */
