/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plug-in that does nothing and says that all went well. It must fail: run it to see that the
 * suite, as you set it up, notices.
 *
 *   gcc -std=c99 -shared -fPIC -I../../include null.c -o null.so
 *   fp4cts run --device cpu --dut ./null.so
 */
#include <fp4cts/dut.h>

static int32_t qmul4(const fp4cts_call* call, const fp4cts_qmul4* arguments) {
  (void)call, (void)arguments;
  return FP4CTS_OK;
}

static int32_t encode_e4m3(const fp4cts_call* call, const fp4cts_encode_e4m3* arguments) {
  (void)call, (void)arguments;
  return FP4CTS_OK;
}

static int32_t nvfp4_gather_index_k(const fp4cts_call* call,
                                    const fp4cts_nvfp4_gather_index_k* arguments) {
  (void)call, (void)arguments;
  return FP4CTS_OK;
}

static int32_t mxfp4_decode_pages(const fp4cts_call* call,
                                  const fp4cts_mxfp4_decode_pages* arguments) {
  (void)call, (void)arguments;
  return FP4CTS_OK;
}

static int32_t mxfp4_gather_pages(const fp4cts_call* call,
                                  const fp4cts_mxfp4_gather_pages* arguments) {
  (void)call, (void)arguments;
  return FP4CTS_OK;
}

static int32_t nvfp4_write_index_k(const fp4cts_call* call,
                                   const fp4cts_nvfp4_write_index_k* arguments) {
  (void)call, (void)arguments;
  return FP4CTS_OK;
}

static int32_t mxfp4_write_pages(const fp4cts_call* call,
                                 const fp4cts_mxfp4_write_pages* arguments) {
  (void)call, (void)arguments;
  return FP4CTS_OK;
}

static int32_t convert(const fp4cts_call* call, const fp4cts_convert* arguments) {
  (void)call, (void)arguments;
  return FP4CTS_OK;
}

static int32_t nvfp4_gather_kv(const fp4cts_call* call, const fp4cts_nvfp4_gather_kv* arguments) {
  (void)call, (void)arguments;
  return FP4CTS_OK;
}

uint32_t fp4cts_dut_version(void) { return FP4CTS_DUT_VERSION; }

const fp4cts_dut_declaration* fp4cts_dut_declare(void) {
  static fp4cts_dut_declaration declaration;
  declaration.sizes = fp4cts_dut_sizes_here();
  declaration.name = "null";
  declaration.profile = "ocp";
  declaration.device_kinds = FP4CTS_CPU | FP4CTS_CUDA | FP4CTS_HIP;
  declaration.qmul4 = qmul4;
  declaration.encode_e4m3 = encode_e4m3;
  declaration.nvfp4_gather_index_k = nvfp4_gather_index_k;
  declaration.mxfp4_decode_pages = mxfp4_decode_pages;
  declaration.mxfp4_gather_pages = mxfp4_gather_pages;
  declaration.nvfp4_write_index_k = nvfp4_write_index_k;
  declaration.mxfp4_write_pages = mxfp4_write_pages;
  declaration.convert = convert;
  declaration.nvfp4_gather_kv = nvfp4_gather_kv;
  declaration.nvfp4_gather_kv_swizzled = nvfp4_gather_kv;
  return &declaration;
}
