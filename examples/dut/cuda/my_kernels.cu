// SPDX-License-Identifier: Apache-2.0
/*
 * A plug-in for CUDA, to start from. Put your own kernel and its launch in the place of `gather`.
 *
 *   nvcc -std=c++17 -O2 -shared -Xcompiler -fPIC -arch=sm_90 -I../../../include \
 *       my_kernels.cu -o my_kernels.so
 *   fp4cts run --device cuda:0 --dut ./my_kernels.so
 *
 * -arch is the architecture of your GPU. It has the NVFP4 index-K gather alone: the entries of the
 * other operations stay null, and the suite reports that they are not there. The kernel is simple
 * and not fast: one thread for each pair of elements, codes and scales read byte by byte.
 */
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <fp4cts/dut.h>

#include <cstdio>

namespace {

constexpr int tokens_per_page = 128;
constexpr int elements_per_token = 128;
constexpr int code_bytes_per_token = 64;
constexpr int code_bytes_per_page = tokens_per_page * code_bytes_per_token;
constexpr int scales_per_token = 8;
constexpr int threads = 256;

__device__ float e2m1_value(unsigned code) {
  constexpr float magnitudes[8] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f};
  const float magnitude = magnitudes[code & 7];
  // -magnitude, and not 0 - magnitude: that would lose the sign of -0.
  return (code & 8) != 0 ? -magnitude : magnitude;
}

// The product is exact in f32, and the conversion rounds it once: to nearest even, saturating. Of a
// NaN this conversion makes 7f, whatever its sign.
__device__ __nv_fp8_storage_t multiply(unsigned code, float scale) {
  return __nv_cvt_float_to_fp8(e2m1_value(code) * scale, __NV_SATFINITE, __NV_E4M3);
}

// One thread block for each request and logical page, all of them along x: a grid ends at 65,535
// along y and z, and requests, and pages of one, may be more.
__global__ void gather_kernel(fp4cts_nvfp4_gather_index_k a) {
  const int64_t r = blockIdx.x / a.max_num_pages;
  const int64_t p = blockIdx.x % a.max_num_pages;
  if (p >= a.num_pages[r]) return;
  const int64_t id = a.block_table[r * a.block_table_stride_elements + p];
  const uint8_t* page = a.kv_cache + id * a.page_stride_bytes;
  uint8_t* out = a.out + (a.page_offsets[r] + p) * (int64_t{tokens_per_page} * elements_per_token);
  for (int i = threadIdx.x; i < code_bytes_per_page; i += threads) {
    const int token = i / code_bytes_per_token;
    const int element = i % code_bytes_per_token * 2;
    const uint8_t byte = page[code_bytes_per_page + token * scales_per_token + element / 16];
    const float scale = __half2float(__half(__nv_cvt_fp8_to_halfraw(byte, __NV_E4M3)));
    out[2 * i] = multiply(page[i] & 15u, scale);
    out[2 * i + 1] = multiply(page[i] >> 4u, scale);
  }
}

int32_t result_of(const fp4cts_call* call, cudaError_t error) {
  if (error == cudaSuccess) return FP4CTS_OK;
  std::snprintf(call->error, call->error_bytes, "%s: %s", cudaGetErrorName(error),
                cudaGetErrorString(error));
  return FP4CTS_FAILED;
}

int32_t gather(const fp4cts_call* call, const fp4cts_nvfp4_gather_index_k* a) {
  if (a->num_reqs == 0 || a->max_num_pages == 0) return FP4CTS_OK;  // a grid of 0 is an error
  const int64_t blocks = int64_t{a->num_reqs} * a->max_num_pages;
  if (blocks > INT32_MAX) {
    std::snprintf(call->error, call->error_bytes, "%lld blocks: more than a grid has along x",
                  static_cast<long long>(blocks));
    return FP4CTS_FAILED;
  }
  gather_kernel<<<static_cast<unsigned>(blocks), threads, 0,
                  static_cast<cudaStream_t>(call->stream)>>>(*a);
  return result_of(call, cudaGetLastError());
}

// Each process has one device. The suite has made its primary context current; this tells the
// runtime the same.
const char* prepare(const fp4cts_call* call) {
  const cudaError_t error = cudaSetDevice(call->device_ordinal);
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

}  // namespace

uint32_t fp4cts_dut_version() { return FP4CTS_DUT_VERSION; }

const fp4cts_dut_declaration* fp4cts_dut_declare() {
  static fp4cts_dut_declaration declaration{};  // what is not set below is null
  declaration.sizes = fp4cts_dut_sizes_here();
  declaration.name = "my_cuda_kernels";
  declaration.profile = "ocp";
  declaration.device_kinds = FP4CTS_CUDA;
  declaration.toolkit = "nvcc " __DATE__;
  declaration.prepare = prepare;
  declaration.nvfp4_gather_index_k = gather;
  return &declaration;
}
