// SPDX-License-Identifier: Apache-2.0
/*
 * A plug-in for HIP, to start from. Put your own kernel and its launch in the place of `gather`.
 *
 *   hipcc -std=c++17 -O2 -shared -fPIC --offload-arch=gfx90a -I../../../include \
 *       my_kernels.hip -o my_kernels.so
 *   fp4cts run --device hip:0 --dut ./my_kernels.so
 *
 * --offload-arch is the architecture of your GPU. It has the NVFP4 index-K gather alone: the
 * entries of the other operations stay null, and the suite reports that they are not there. The
 * arithmetic is in integers, because gfx940 and gfx942 convert to FNUZ and older GPUs not at all.
 * The kernel is simple and not fast: one thread for each pair of elements, codes and scales read
 * byte by byte.
 */
#include <fp4cts/dut.h>
#include <hip/hip_runtime.h>

#include <cstdio>

namespace {

constexpr int tokens_per_page = 128;
constexpr int elements_per_token = 128;
constexpr int code_bytes_per_token = 64;
constexpr int code_bytes_per_page = tokens_per_page * code_bytes_per_token;
constexpr int scales_per_token = 8;
constexpr int threads = 256;

// An E2M1 code times an E4M3 scale, rounded once to E4M3, in integers.
//   E2M1: magnitudes 0 .5 1 1.5 2 3 4 6, here doubled; four bits each, code 0 lowest.
//   E4M3: 0bSEEEEMMM is +-(8 + M) * 2^(E - 10), and +-M * 2^-9 where E is 0; 7f and ff are NaN.
__device__ uint8_t multiply(unsigned code, unsigned scale) {
  constexpr unsigned doubled = 0xc8643210u;
  if ((scale & 0x7f) == 0x7f) return 0x7f;
  const unsigned sign = (code << 4 ^ scale) & 0x80;
  const unsigned field = scale >> 3 & 15;
  const unsigned significand = field == 0 ? scale & 7 : 8 + (scale & 7);
  const unsigned product = significand * (doubled >> 4 * (code & 7) & 15);  // of 2^(e - 11)
  if (product == 0) return static_cast<uint8_t>(sign);
  const int e = field == 0 ? 1 : static_cast<int>(field);

  // product * 2^(e - 11) as q * 2^(f - 10) with q in 8..15, or below 8 where f is 1, the smallest.
  const int top_bit = 31 - __clz(static_cast<int>(product));
  int f = e - 1 + (top_bit - 3);
  if (f < 1) f = 1;
  const int drop = f - (e - 1);  // bits to drop of the product; negative: to append
  unsigned q = 0;
  if (drop <= 0) {
    q = product << -drop;
  } else {
    q = product >> drop;
    const unsigned rest = product - (q << drop);
    const unsigned half = 1u << (drop - 1);
    if (rest > half || (rest == half && (q & 1) != 0)) ++q;  // to nearest even
  }
  if (q == 16) {
    q = 8;
    ++f;
  }
  const unsigned bits = q < 8 ? q : static_cast<unsigned>(f) << 3 | (q - 8);
  return static_cast<uint8_t>(sign | (bits > 0x7e ? 0x7e : bits));
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
  for (int i = static_cast<int>(threadIdx.x); i < code_bytes_per_page; i += threads) {
    const int token = i / code_bytes_per_token;
    const int element = i % code_bytes_per_token * 2;
    const uint8_t scale = page[code_bytes_per_page + token * scales_per_token + element / 16];
    out[2 * i] = multiply(page[i] & 15u, scale);
    out[2 * i + 1] = multiply(page[i] >> 4u, scale);
  }
}

int32_t result_of(const fp4cts_call* call, hipError_t error) {
  if (error == hipSuccess) return FP4CTS_OK;
  std::snprintf(call->error, call->error_bytes, "%s: %s", hipGetErrorName(error),
                hipGetErrorString(error));
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
                  static_cast<hipStream_t>(call->stream)>>>(*a);
  return result_of(call, hipGetLastError());
}

// Each process has one device. The suite has set it; this tells so where the plug-in has a runtime
// of its own.
const char* prepare(const fp4cts_call* call) {
  const hipError_t error = hipSetDevice(call->device_ordinal);
  return error == hipSuccess ? nullptr : hipGetErrorString(error);
}

}  // namespace

uint32_t fp4cts_dut_version() { return FP4CTS_DUT_VERSION; }

const fp4cts_dut_declaration* fp4cts_dut_declare() {
  static fp4cts_dut_declaration declaration{};  // what is not set below is null
  declaration.sizes = fp4cts_dut_sizes_here();
  declaration.name = "my_hip_kernels";
  declaration.profile = "ocp";
  declaration.device_kinds = FP4CTS_HIP;
  declaration.toolkit = "hipcc " __DATE__;
  declaration.prepare = prepare;
  declaration.nvfp4_gather_index_k = gather;
  return &declaration;
}
