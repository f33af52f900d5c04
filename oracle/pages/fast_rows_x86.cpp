// The loops for SSSE3 and AVX2: one byte shuffle looks up 16 elements of one scale. Each function
// is compiled for its own instruction set and chosen at run time, so that the library starts
// anywhere.
#include "oracle/pages/fast_rows.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

namespace oracle::fast_rows {
namespace {

// The scales of the two halves of step i, 32 elements.
template <std::size_t Block>
struct Halves {
  std::uint8_t first;
  std::uint8_t second;
};
template <std::size_t Block>
inline Halves<Block> scales_of(const Job& job, std::size_t i) {
  if constexpr (Block == 16) return {job.scales[2 * i], job.scales[2 * i + 1]};
  return {job.scales[i], job.scales[i]};
}

__attribute__((target("ssse3"))) inline void put(std::uint8_t* out, __m128i value, bool streaming) {
  auto* to = reinterpret_cast<__m128i*>(out);
  if (streaming) {
    _mm_stream_si128(to, value);
  } else {
    _mm_storeu_si128(to, value);
  }
}

__attribute__((target("ssse3"))) inline __m128i look_up(const PairTable& table, std::size_t plane,
                                                        std::uint8_t scale, __m128i codes) {
  const auto* row = reinterpret_cast<const __m128i*>(table.row(plane, scale));
  return _mm_shuffle_epi8(_mm_loadu_si128(row), codes);
}

// 16 elements of one scale.
template <std::size_t Width>
__attribute__((target("ssse3"))) inline void decode16(const PairTable& table, std::uint8_t scale,
                                                      __m128i codes, std::uint8_t* out,
                                                      bool streaming) {
  const __m128i b0 = look_up(table, 0, scale, codes);
  if constexpr (Width == 1) {
    put(out, b0, streaming);
    return;
  }
  const __m128i b1 = look_up(table, 1, scale, codes);
  const __m128i low = _mm_unpacklo_epi8(b0, b1);
  const __m128i high = _mm_unpackhi_epi8(b0, b1);
  if constexpr (Width == 2) {
    put(out, low, streaming);
    put(out + 16, high, streaming);
  } else {
    const __m128i b2 = look_up(table, 2, scale, codes);
    const __m128i b3 = look_up(table, 3, scale, codes);
    const __m128i low2 = _mm_unpacklo_epi8(b2, b3);
    const __m128i high2 = _mm_unpackhi_epi8(b2, b3);
    put(out, _mm_unpacklo_epi16(low, low2), streaming);
    put(out + 16, _mm_unpackhi_epi16(low, low2), streaming);
    put(out + 32, _mm_unpacklo_epi16(high, high2), streaming);
    put(out + 48, _mm_unpackhi_epi16(high, high2), streaming);
  }
}

template <std::size_t Width, std::size_t Block>
__attribute__((target("ssse3"))) void decode_ssse3(const PairTable& table, const Job& job) {
  const __m128i nibble = _mm_set1_epi8(0x0f);
  const std::size_t steps = job.groups * Block / 32;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < steps; ++i) {
    const __m128i pairs = _mm_loadu_si128(reinterpret_cast<const __m128i*>(job.codes + i * 16));
    const __m128i even = _mm_and_si128(pairs, nibble);
    const __m128i odd = _mm_and_si128(_mm_srli_epi16(pairs, 4), nibble);
    const Halves<Block> scale = scales_of<Block>(job, i);
    std::uint8_t* out = job.out + i * 32 * Width;
    decode16<Width>(table, scale.first, _mm_unpacklo_epi8(even, odd), out, job.streaming);
    decode16<Width>(table, scale.second, _mm_unpackhi_epi8(even, odd), out + 16 * Width,
                    job.streaming);
  }
  if (job.streaming) _mm_sfence();
}

__attribute__((target("avx2"))) inline void put32(std::uint8_t* out, __m256i value,
                                                  bool streaming) {
  auto* to = reinterpret_cast<__m256i*>(out);
  if (streaming) {
    _mm256_stream_si256(to, value);
  } else {
    _mm256_storeu_si256(to, value);
  }
}

// 32 elements, the first 16 of one scale in the lower lane, the others in the upper lane.
template <std::size_t Block>
__attribute__((target("avx2"))) inline __m256i look_up32(const PairTable& table, std::size_t plane,
                                                         Halves<Block> scale, __m256i codes) {
  const auto* first = reinterpret_cast<const __m128i*>(table.row(plane, scale.first));
  const auto* second = reinterpret_cast<const __m128i*>(table.row(plane, scale.second));
  const __m256i rows = Block == 16
                           ? _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(first)),
                                                     _mm_loadu_si128(second), 1)
                           : _mm256_broadcastsi128_si256(_mm_loadu_si128(first));
  return _mm256_shuffle_epi8(rows, codes);
}

template <std::size_t Width, std::size_t Block>
__attribute__((target("avx2"))) void decode_avx2(const PairTable& table, const Job& job) {
  const __m256i nibble = _mm256_set1_epi8(0x0f);
  const std::size_t steps = job.groups * Block / 32;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < steps; ++i) {
    const __m128i pairs = _mm_loadu_si128(reinterpret_cast<const __m128i*>(job.codes + i * 16));
    // A byte 0xBA widened to 0x00BA and or'ed with itself shifted by 4 is 0x0B?A, masked 0x0B0A.
    const __m256i wide = _mm256_cvtepu8_epi16(pairs);
    const __m256i codes =
        _mm256_and_si256(_mm256_or_si256(wide, _mm256_slli_epi16(wide, 4)), nibble);
    const Halves<Block> scale = scales_of<Block>(job, i);
    std::uint8_t* out = job.out + i * 32 * Width;
    const __m256i b0 = look_up32(table, 0, scale, codes);
    if constexpr (Width == 1) {
      put32(out, b0, job.streaming);
      continue;
    }
    const __m256i b1 = look_up32(table, 1, scale, codes);
    const __m256i low = _mm256_unpacklo_epi8(b0, b1);   // elements 0-7 and 16-23
    const __m256i high = _mm256_unpackhi_epi8(b0, b1);  // elements 8-15 and 24-31
    if constexpr (Width == 2) {
      put32(out, _mm256_permute2x128_si256(low, high, 0x20), job.streaming);
      put32(out + 32, _mm256_permute2x128_si256(low, high, 0x31), job.streaming);
    } else {
      const __m256i b2 = look_up32(table, 2, scale, codes);
      const __m256i b3 = look_up32(table, 3, scale, codes);
      const __m256i low2 = _mm256_unpacklo_epi8(b2, b3);
      const __m256i high2 = _mm256_unpackhi_epi8(b2, b3);
      const __m256i q0 = _mm256_unpacklo_epi16(low, low2);    // elements 0-3 and 16-19
      const __m256i q1 = _mm256_unpackhi_epi16(low, low2);    // elements 4-7 and 20-23
      const __m256i q2 = _mm256_unpacklo_epi16(high, high2);  // elements 8-11 and 24-27
      const __m256i q3 = _mm256_unpackhi_epi16(high, high2);  // elements 12-15 and 28-31
      put32(out, _mm256_permute2x128_si256(q0, q1, 0x20), job.streaming);
      put32(out + 32, _mm256_permute2x128_si256(q2, q3, 0x20), job.streaming);
      put32(out + 64, _mm256_permute2x128_si256(q0, q1, 0x31), job.streaming);
      put32(out + 96, _mm256_permute2x128_si256(q2, q3, 0x31), job.streaming);
    }
  }
  if (job.streaming) _mm_sfence();
}

// The block size is a template argument of the loops, so that it costs nothing inside.
template <std::size_t Width>
void ssse3(const PairTable& table, const Job& job) {
  return job.block == 16 ? decode_ssse3<Width, 16>(table, job)
                         : decode_ssse3<Width, 32>(table, job);
}
template <std::size_t Width>
void avx2(const PairTable& table, const Job& job) {
  return job.block == 16 ? decode_avx2<Width, 16>(table, job) : decode_avx2<Width, 32>(table, job);
}

}  // namespace

Decode select_x86(FastPath path, std::size_t width) {
  const bool wide = path == FastPath::avx2;
  switch (width) {
    case 1:
      return wide ? avx2<1> : ssse3<1>;
    case 2:
      return wide ? avx2<2> : ssse3<2>;
    default:
      return wide ? avx2<4> : ssse3<4>;
  }
}

}  // namespace oracle::fast_rows

#endif
