/*
 * The whole contract between fp4cts and a plug-in: a shared library with kernels under test.
 *
 *     fp4cts run --dut ./my_kernels.so
 *
 * A plug-in exports two functions with C linkage, fp4cts_dut_version and fp4cts_dut_declare (at
 * the end of this file), and is otherwise what you like: C, C++, CUDA, HIP, a wrapper around the
 * library that you ship. What each operation is given is in fp4cts/abi.h. Both headers need nothing
 * but the C library; they are C99 and C++.
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

#include "fp4cts/abi.h"

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

/*
 * Where a call is made, and where it puts what it has to say.
 *
 * On a GPU the inputs are in place for work on `stream`, and for no other: no stream waits for it
 * or is waited for by it, the default one neither, and inputs arrive on it when the call has
 * returned. Work on another stream needs an event of this one before it, and this one an event of
 * that.
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
  size_t nvfp4_write_index_k;
  size_t mxfp4_write_pages;
  size_t convert;
  size_t nvfp4_gather_kv;
  size_t nvfp4_gather_kv_swizzled;
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
  int32_t (*nvfp4_write_index_k)(const fp4cts_call* call,
                                 const fp4cts_nvfp4_write_index_k* arguments);
  int32_t (*mxfp4_write_pages)(const fp4cts_call* call, const fp4cts_mxfp4_write_pages* arguments);
  int32_t (*convert)(const fp4cts_call* call, const fp4cts_convert* arguments);
  int32_t (*nvfp4_gather_kv)(const fp4cts_call* call, const fp4cts_nvfp4_gather_kv* arguments);
  int32_t (*nvfp4_gather_kv_swizzled)(const fp4cts_call* call,
                                      const fp4cts_nvfp4_gather_kv* arguments);
} fp4cts_dut_declaration;

static inline const fp4cts_dut_sizes* fp4cts_dut_sizes_here(void) {
  static const fp4cts_dut_sizes sizes = {sizeof(fp4cts_dut_sizes),
                                         sizeof(fp4cts_dut_declaration),
                                         sizeof(fp4cts_call),
                                         sizeof(fp4cts_qmul4),
                                         sizeof(fp4cts_encode_e4m3),
                                         sizeof(fp4cts_nvfp4_gather_index_k),
                                         sizeof(fp4cts_mxfp4_decode_pages),
                                         sizeof(fp4cts_mxfp4_gather_pages),
                                         sizeof(fp4cts_nvfp4_write_index_k),
                                         sizeof(fp4cts_mxfp4_write_pages),
                                         sizeof(fp4cts_convert),
                                         sizeof(fp4cts_nvfp4_gather_kv),
                                         sizeof(fp4cts_nvfp4_gather_kv)};
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
