// SPDX-License-Identifier: Apache-2.0
// A gather of NVFP4 index-K pages with plain parameters, as an example of a module file that fp4cts
// judges without being rebuilt:
//
//   nvcc -std=c++17 -cubin -arch=sm_90 -o gather_index_k.cubin gather_index_k.cu
//   fp4cts run --device cuda:0 --dut-module gather_index_k.json
//
// One block for each (request, logical page), all of them along x, for a grid ends at 65,535 along
// y; one thread for each of 128 tokens. The arithmetic is in integers: a code of E2M1 is a multiple
// of 1/2, a scale of E4M3 a significand and an exponent, and their product is rounded once.
#include <cstdint>

namespace {

constexpr int page_tokens = 128;
constexpr int token_codes_bytes = 64;
constexpr int token_groups = 8;
constexpr int group_elements = 16;
constexpr int scales_offset = page_tokens * token_codes_bytes;
constexpr int output_token_bytes = 128;

// Twice the magnitude of a code: 0 1 2 3 4 6 8 12.
__device__ inline unsigned twice_magnitude(unsigned code) {
  const unsigned exponent = code >> 1 & 3;
  return exponent == 0 ? code & 1 : (2u + (code & 1)) << (exponent - 1);
}

// E4M3 of the product, to nearest even, at most 448.
__device__ inline std::uint8_t product(unsigned code, unsigned scale) {
  if ((scale & 0x7f) == 0x7f) return 0x7f;
  const unsigned sign = (code << 4 ^ scale) & 0x80;
  const int field = static_cast<int>(scale >> 3 & 15);
  const int exponent = field == 0 ? 1 : field;
  // The product is `exact` * 2^(exponent - 11).
  const unsigned exact = twice_magnitude(code) * ((field == 0 ? 0u : 8u) + (scale & 7));
  if (exact == 0) return static_cast<std::uint8_t>(sign);
  int bits = 0;
  while (exact >> bits != 0) ++bits;
  // How many bits a significand of four bits loses, or one whose last bit is worth 2^-9.
  const int shift = bits - 4 > 2 - exponent ? bits - 4 : 2 - exponent;
  unsigned significand = shift <= 0 ? exact << -shift : exact >> shift;
  if (shift > 0) {
    const unsigned half = 1u << (shift - 1);
    const unsigned rest = exact & (2 * half - 1);
    significand += rest > half || (rest == half && (significand & 1) != 0) ? 1u : 0u;
  }
  // A significand that became 16 carries into the exponent.
  const int magnitude = (exponent + shift - 2) * 8 + static_cast<int>(significand);
  return static_cast<std::uint8_t>(sign |
                                   static_cast<unsigned>(magnitude > 0x7e ? 0x7e : magnitude));
}

}  // namespace

extern "C" __global__ void gather_index_k(const std::uint8_t* kv_cache, std::int64_t page_stride,
                                          const std::int32_t* block_table,
                                          std::int32_t block_table_stride,
                                          const std::int32_t* num_pages,
                                          const std::int32_t* page_offsets,
                                          std::int32_t max_num_pages, std::uint8_t* out) {
  const std::int64_t request = blockIdx.x / static_cast<unsigned>(max_num_pages);
  const std::int64_t logical_page = blockIdx.x % static_cast<unsigned>(max_num_pages);
  if (logical_page >= num_pages[request]) return;
  const std::int64_t id = block_table[request * block_table_stride + logical_page];
  const std::int64_t token = threadIdx.x;
  const std::uint8_t* page = kv_cache + id * page_stride;
  const std::uint8_t* codes = page + token * token_codes_bytes;
  const std::uint8_t* scales = page + scales_offset + token * token_groups;
  const std::int64_t output_page = page_offsets[request] + logical_page;
  std::uint8_t* to = out + (output_page * page_tokens + token) * output_token_bytes;
  for (int byte = 0; byte < token_codes_bytes; ++byte) {
    const unsigned pair = codes[byte];
    const unsigned scale = scales[2 * byte / group_elements];
    to[2 * byte] = product(pair & 15, scale);
    to[2 * byte + 1] = product(pair >> 4, scale);
  }
}
