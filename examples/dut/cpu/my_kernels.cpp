// SPDX-License-Identifier: Apache-2.0
// A plug-in for the CPU, to start from. Put your own kernels in the place of `gather` and
// `multiply`.
//
//   g++ -std=c++17 -O2 -shared -fPIC -I../../../include my_kernels.cpp -o my_kernels.so
//   fp4cts run --dut ./my_kernels.so
//
// It has the NVFP4 index-K gather and qmul4, and leaves out encode_e4m3 and MXFP4: those entries
// stay null, and the suite reports that they are not there. One thread, no vector instructions: it
// is right and slow.
#include <fp4cts/dut.h>

#include <cstdio>

namespace {

constexpr int tokens_per_page = 128;
constexpr int elements_per_token = 128;
constexpr int code_bytes_per_token = 64;
constexpr int scales_per_token = 8;
constexpr int scales_at = tokens_per_page * code_bytes_per_token;  // byte 8192 of a page

// An E2M1 code times an E4M3 scale, rounded once to E4M3, in integers.
//   E2M1: magnitudes 0 .5 1 1.5 2 3 4 6, here doubled.
//   E4M3: 0bSEEEEMMM is +-(8 + M) * 2^(E - 10), and +-M * 2^-9 where E is 0; 7f and ff are NaN.
uint8_t multiply(unsigned code, unsigned scale) {
  constexpr unsigned doubled[8] = {0, 1, 2, 3, 4, 6, 8, 12};
  constexpr unsigned nan = 0x7f;
  constexpr unsigned largest = 0x7e;
  if ((scale & 0x7f) == nan) return nan;
  const unsigned sign = (code << 4 ^ scale) & 0x80;
  const unsigned field = scale >> 3 & 15;
  const unsigned significand = field == 0 ? scale & 7 : 8 + (scale & 7);
  unsigned product = significand * doubled[code & 7];  // of 2^(exponent - 11)
  int exponent = field == 0 ? 1 : static_cast<int>(field);
  if (product == 0) return static_cast<uint8_t>(sign);

  // The result is q * 2^(f - 10) with q in 8..15, or below 8 where f is 1, the smallest. Small
  // products are doubled until they fit; of large ones, bits are dropped and rounded to even.
  int f = exponent - 1;
  unsigned dropped = 0;
  while (product < 8 && f > 1) {
    product *= 2;
    --f;
  }
  while (product >> dropped > 15 || f < 1) {
    ++dropped;
    ++f;
  }
  unsigned q = product >> dropped;
  const unsigned rest = product - (q << dropped);
  const unsigned half = dropped == 0 ? 0 : 1u << (dropped - 1);
  if (dropped != 0 && (rest > half || (rest == half && (q & 1) != 0))) ++q;
  if (q == 16) {
    q = 8;
    ++f;
  }
  const unsigned bits = q < 8 ? q : static_cast<unsigned>(f) << 3 | (q - 8);
  return static_cast<uint8_t>(sign | (bits > largest ? largest : bits));
}

void decode_page(const uint8_t* page, uint8_t* out) {
  for (int token = 0; token < tokens_per_page; ++token) {
    for (int element = 0; element < elements_per_token; ++element) {
      const unsigned pair = page[token * code_bytes_per_token + element / 2];
      const unsigned code = element % 2 == 0 ? pair & 15 : pair >> 4;
      const unsigned scale = page[scales_at + token * scales_per_token + element / 16];
      out[token * elements_per_token + element] = multiply(code, scale);
    }
  }
}

int32_t gather(const fp4cts_call* call, const fp4cts_nvfp4_gather_index_k* a) {
  for (int64_t r = 0; r < a->num_reqs; ++r) {
    for (int64_t p = 0; p < a->num_pages[r]; ++p) {
      const int64_t id = a->block_table[r * a->block_table_stride_elements + p];
      if (id < 0 || id >= a->num_blocks) {
        std::snprintf(call->error, call->error_bytes, "request %lld, page %lld: id %lld of %lld",
                      static_cast<long long>(r), static_cast<long long>(p),
                      static_cast<long long>(id), static_cast<long long>(a->num_blocks));
        return FP4CTS_FAILED;
      }
      const int64_t out_page = a->page_offsets[r] + p;
      decode_page(a->kv_cache + id * a->page_stride_bytes,
                  a->out + out_page * tokens_per_page * elements_per_token);
    }
  }
  return FP4CTS_OK;
}

int32_t qmul4(const fp4cts_call*, const fp4cts_qmul4* a) {
  for (int64_t i = 0; i < a->count; ++i) {
    uint32_t word = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
      const unsigned code = a->a[i] >> 4 * lane & 15u;
      const unsigned scale = a->b[i] >> 8 * lane & 255u;
      word |= uint32_t{multiply(code, scale)} << 8 * lane;
    }
    a->d[i] = word;
  }
  return FP4CTS_OK;
}

}  // namespace

uint32_t fp4cts_dut_version() { return FP4CTS_DUT_VERSION; }

const fp4cts_dut_declaration* fp4cts_dut_declare() {
  static fp4cts_dut_declaration declaration{};  // what is not set below is null
  declaration.sizes = fp4cts_dut_sizes_here();
  declaration.name = "my_kernels";
  declaration.profile = "ocp";
  declaration.device_kinds = FP4CTS_CPU;
  declaration.toolkit = "g++ " __VERSION__;
  declaration.nvfp4_gather_index_k = gather;
  declaration.qmul4 = qmul4;
  return &declaration;
}
