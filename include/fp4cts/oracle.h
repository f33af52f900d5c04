/*
 * The exact model of fp4cts as a C library, for every language that can call C: Rust, Go, Python,
 * Julia, a simulator. Decoding, encoding and conversion of number formats, quantization of scale
 * blocks, and the page operations of the suite, as bytes.
 *
 *     fp4cts_oracle_profile* ocp = NULL;
 *     if (fp4cts_oracle_profile_open("ocp", &ocp) != FP4CTS_ORACLE_OK) puts(fp4cts_oracle_error());
 *
 * Conventions. Every function that can fail returns a status, 0 for success; after another one
 * fp4cts_oracle_error() is a sentence with operation, argument, expected and actual. A call that
 * fails has written nothing, where nothing else is said. Shapes are written outermost axis first.
 * Numbers are little-endian, the machine's own. No function keeps a pointer that it was given, none
 * prints, none ends the process; all may be called from several threads at once.
 *
 * Exactness. Nothing here uses the host's floating point: a value is an integer significand and an
 * exponent, and each result is rounded once. Where the same bytes come from tables (pages), tests
 * prove the tables equal to that arithmetic over their whole domain. Sources: OCP Microscaling v1.0
 * (e2m1, e2m3, e3m2, e8m0), OCP OFP8 v1.0 (e4m3, e5m2), PTX ISA 9.4 (packed arithmetic, ue4m3,
 * ue5m3), AMD CDNA3 ISA (e4m3fnuz); docs/formats.md and docs/rounding.md say which choice is whose.
 *
 * Needs nothing but the C library; C99 and C++.
 */
#ifndef FP4CTS_ORACLE_H
#define FP4CTS_ORACLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FP4CTS_ORACLE_EXPORT __attribute__((visibility("default")))

/* Changes when a program that was built before can no longer be linked. */
#define FP4CTS_ORACLE_VERSION 1u
FP4CTS_ORACLE_EXPORT uint32_t fp4cts_oracle_version(void);
/* The suite's version, "0.1.0". */
FP4CTS_ORACLE_EXPORT const char* fp4cts_oracle_release(void);

typedef int32_t fp4cts_oracle_status;
#define FP4CTS_ORACLE_OK 0
#define FP4CTS_ORACLE_INVALID_ARGUMENT 1  /* contradicts itself, another argument, or is null */
#define FP4CTS_ORACLE_UNKNOWN_NAME 2      /* no format, profile, member or word has this name */
#define FP4CTS_ORACLE_NOT_REPRESENTABLE 3 /* the format has no code that could answer */
#define FP4CTS_ORACLE_WRONG_DTYPE 4
#define FP4CTS_ORACLE_WRONG_SHAPE 5
#define FP4CTS_ORACLE_WRONG_STRIDE 6
#define FP4CTS_ORACLE_OUT_OF_RANGE 7 /* an index or id outside its bounds */
#define FP4CTS_ORACLE_TOO_SMALL 8    /* a buffer that cannot hold what was asked */
#define FP4CTS_ORACLE_INTERNAL 9     /* out of memory */

/* What the last failing call of this thread had to say; "" before the first. Valid until the next
 * call that fails in this thread. */
FP4CTS_ORACLE_EXPORT const char* fp4cts_oracle_error(void);

/* --- Profiles: the choices in which right implementations differ (docs/profiles.md). */

typedef struct fp4cts_oracle_profile fp4cts_oracle_profile;

/* "ocp", "cuda", "fnuz" or "shift23". */
FP4CTS_ORACLE_EXPORT fp4cts_oracle_status
fp4cts_oracle_profile_open(const char* name, fp4cts_oracle_profile** profile);
/* Changes one member: "nan.e4m3" to "80", "mxfp4_writer.mode" to "floor". Names, words and hex
 * digits are those of the profile's JSON. Not while another thread uses the profile. */
FP4CTS_ORACLE_EXPORT fp4cts_oracle_status fp4cts_oracle_profile_set(fp4cts_oracle_profile* profile,
                                                                    const char* member,
                                                                    const char* value);
FP4CTS_ORACLE_EXPORT void fp4cts_oracle_profile_close(fp4cts_oracle_profile* profile);

/*
 * --- Numbers.
 *
 * A format is named "e2m1", "e2m3", "e3m2", "e4m3", "e4m3fnuz", "e5m2", "ue4m3", "ue5m3", "e8m0",
 * "f32", "f16" or "bf16". Its codes lie one in an element of 1, 2 or 4 bytes, the smallest that
 * holds them: e2m1 one code a byte, in the low bits.
 */

/* Bytes of one code: 1, 2 or 4; 0 for a name that is no format's. */
FP4CTS_ORACLE_EXPORT int32_t fp4cts_oracle_code_bytes(const char* format);

/* values[i] = the value of codes[i], [count] each. Exact: every value of every format is a double.
 * A NaN has the sign of its code. OUT_OF_RANGE: bits above a code's. */
FP4CTS_ORACLE_EXPORT fp4cts_oracle_status fp4cts_oracle_decode(const char* format, int64_t count,
                                                               const void* codes, double* values);

/* How values become codes. There are no defaults: zero what you do not use. */
typedef struct fp4cts_oracle_encoding {
  size_t struct_bytes;  /* sizeof(fp4cts_oracle_encoding) */
  const char* rounding; /* "rne", "rna" (ties away), "rtz", "rtp", "rtn", "rs" (stochastic) */
  const char* overflow; /* "satfinite", "to_inf" or "to_nan", for infinite inputs too */
  const uint32_t*
      random_bits;      /* [count], for "rs" alone: a fraction f between two neighbours goes */
  int32_t random_width; /* away from zero if f * 2^width + bits >= 2^width; width 1 .. 32 */
  int32_t has_nan_code; /* else the format's canonical NaN, or an error where it has none */
  uint32_t nan_code;
  int32_t keep_nan_sign;         /* sets the sign bit of that code for a negative NaN */
  int32_t keep_overflow_sign;    /* and for a negative value that overflows "to_nan" */
  int32_t negative_by_magnitude; /* without a sign bit: |x|, else an error */
  int32_t tiny_to_smallest; /* without a zero: below the smallest is the smallest, else error */
} fp4cts_oracle_encoding;

/* codes[i] = values[i] in the format, [count] each. Correctly rounded, once. NOT_REPRESENTABLE: the
 * first such element is named, and the elements before it are written. */
FP4CTS_ORACLE_EXPORT fp4cts_oracle_status
fp4cts_oracle_encode(const char* format, const fp4cts_oracle_encoding* encoding, int64_t count,
                     const double* values, void* codes);

/* to_codes[i] = the value of from_codes[i] in another format, [count] each: decode and encode, one
 * rounding. Errors as of both. */
FP4CTS_ORACLE_EXPORT fp4cts_oracle_status
fp4cts_oracle_convert(const char* from, const char* to, const fp4cts_oracle_encoding* encoding,
                      int64_t count, const void* from_codes, void* to_codes);

/* Packed arithmetic on four lanes, by its PTX spelling ("mul.rn.satfinite.e4m3x4.e2m1x4.e4m3x4"):
 * words [count] each, lane 0 lowest; c is read by fma alone and may be null otherwise. What the ISA
 * leaves open is as CUDA's conversions have it (docs/rounding.md). Each lane rounded once. */
FP4CTS_ORACLE_EXPORT fp4cts_oracle_status fp4cts_oracle_packed(const char* instruction,
                                                               int64_t count, const uint32_t* a,
                                                               const uint32_t* b, const uint32_t* c,
                                                               uint32_t* d);

/* --- Tensors and element types. */

#define FP4CTS_ORACLE_U8 0
#define FP4CTS_ORACLE_I32 3
#define FP4CTS_ORACLE_I64 4
#define FP4CTS_ORACLE_E4M3 5
#define FP4CTS_ORACLE_F16 6
#define FP4CTS_ORACLE_BF16 7
#define FP4CTS_ORACLE_F32 8

/* A strided view of memory that is yours. All addresses that it forms are checked against the
 * storage: an element outside is an error, never an access. */
typedef struct fp4cts_oracle_tensor {
  void* storage; /* all the memory there is; only written through where the function says so */
  size_t storage_bytes;
  int64_t origin_bytes; /* element [0, ..., 0], from the storage's first byte; may lie outside */
  int32_t dtype;
  int32_t rank;
  const int64_t* shape;   /* [rank] */
  const int64_t* strides; /* [rank], in elements; null: without gaps */
} fp4cts_oracle_tensor;

/*
 * --- Products and blocks.
 *
 * `scale_format` is "e4m3" (NVFP4, 16 elements under a scale) or "e8m0" (MXFP4, 32 elements).
 */

/* out[i] = e2m1(codes[i]) * scale(scales[i]) in `dtype` (E4M3, F32, BF16 or F16), [count] each: the
 * arithmetic of every page reader. One rounding, to nearest even. */
FP4CTS_ORACLE_EXPORT fp4cts_oracle_status fp4cts_oracle_multiply(
    const fp4cts_oracle_profile* profile, const char* scale_format, int32_t dtype, int64_t count,
    const uint8_t* codes, const uint8_t* scales, void* out);

/* Rows of a scale block each, by the profile's writer (nvfp4_writer or mxfp4_writer).
 *   elements  [num_blocks, block_elements] of `dtype` (F32, F16 or BF16)
 *   codes     [num_blocks, block_elements / 2], the even element in the low half
 *   scales    [num_blocks]
 * Exact to the bit by the writer's rule. INVALID_ARGUMENT: block_elements odd or not positive. */
FP4CTS_ORACLE_EXPORT fp4cts_oracle_status
fp4cts_oracle_quantize(const fp4cts_oracle_profile* profile, const char* scale_format,
                       int32_t dtype, int64_t num_blocks, int64_t block_elements,
                       const void* elements, uint8_t* codes, uint8_t* scales);

/* --- Operations of the suite (docs/layouts.md). Contracts are checked whole before anything is
 * written; only `out` and, by the writers, `pages` are written through. */

/* d[i] = e2m1 lanes of a[i] times e4m3 lanes of b[i], rounded to e4m3; [count] words each. */
FP4CTS_ORACLE_EXPORT fp4cts_oracle_status fp4cts_oracle_qmul4(const fp4cts_oracle_profile* profile,
                                                              int64_t count, const uint16_t* a,
                                                              const uint32_t* b, uint32_t* d);

/* d[i] = x[i] rounded once to e4m3; [count] each. */
FP4CTS_ORACLE_EXPORT fp4cts_oracle_status fp4cts_oracle_encode_e4m3(
    const fp4cts_oracle_profile* profile, int64_t count, const float* x, uint8_t* d);

/* Arguments of both gathers.
 *   pages         nvfp4: kv_cache [num_blocks, 128, 72] U8, strides (any, 72, 1)
 *                 mxfp4: [num_blocks, 8704] or [num_blocks, heads, 8704] U8, bytes contiguous
 *   block_table   [num_reqs, max_blocks] I32, inner stride 1
 *   num_pages     [num_reqs] I32, page_offsets [num_reqs] I32
 *   out           [>= sum(num_pages), (heads,) 128, 128] without gaps; nvfp4: E4M3; mxfp4: any of
 *                 E4M3, F32, BF16, F16
 *   out[page_offsets[r] + p] = the decoded page block_table[r][p], for p < num_pages[r] */
typedef struct fp4cts_oracle_gather {
  size_t struct_bytes; /* sizeof(fp4cts_oracle_gather) */
  fp4cts_oracle_tensor pages;
  fp4cts_oracle_tensor block_table;
  fp4cts_oracle_tensor num_pages;
  fp4cts_oracle_tensor page_offsets;
  int64_t max_num_pages; /* no num_pages[r] is larger */
  fp4cts_oracle_tensor out;
} fp4cts_oracle_gather;

FP4CTS_ORACLE_EXPORT fp4cts_oracle_status fp4cts_oracle_nvfp4_gather_index_k(
    const fp4cts_oracle_profile* profile, const fp4cts_oracle_gather* arguments);
FP4CTS_ORACLE_EXPORT fp4cts_oracle_status fp4cts_oracle_mxfp4_gather_pages(
    const fp4cts_oracle_profile* profile, const fp4cts_oracle_gather* arguments);

/* pages [..., 8704] U8 into out [..., 128, 128] of E4M3, F32, BF16 or F16, any leading axes. */
FP4CTS_ORACLE_EXPORT fp4cts_oracle_status fp4cts_oracle_mxfp4_decode_pages(
    const fp4cts_oracle_profile* profile, const fp4cts_oracle_tensor* pages,
    const fp4cts_oracle_tensor* out);

/* Rows quantized into the slots of pages by the profile's writer: slot_mapping[i] = page * 128 +
 * token, -1 writes nothing.
 *   rows          nvfp4: [num_tokens, 128]; mxfp4: also [num_tokens, heads, 128]; F32, F16 or BF16
 *   slot_mapping  [num_tokens] I64
 *   pages         as of the gathers; written */
FP4CTS_ORACLE_EXPORT fp4cts_oracle_status fp4cts_oracle_nvfp4_write_index_k(
    const fp4cts_oracle_profile* profile, const fp4cts_oracle_tensor* rows,
    const fp4cts_oracle_tensor* slot_mapping, const fp4cts_oracle_tensor* pages);
FP4CTS_ORACLE_EXPORT fp4cts_oracle_status fp4cts_oracle_mxfp4_write_pages(
    const fp4cts_oracle_profile* profile, const fp4cts_oracle_tensor* rows,
    const fp4cts_oracle_tensor* slot_mapping, const fp4cts_oracle_tensor* pages);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* FP4CTS_ORACLE_H */
