// The path `table`: for every scale byte, the result bytes of the eight magnitudes. A code's sign
// flips the sign of its byte, except that NaN stays 7f.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/element.hpp"
#include "kernels/arithmetic/lookup.hpp"

namespace kernels {

struct ResultTable {
  Bytes8 of_scale[256];
};

template <class Steps = ElementSteps>
constexpr ResultTable make_result_table() {
  ResultTable table{};
  for (std::uint32_t scale = 0; scale < 256; ++scale) {
    for (std::uint32_t magnitude = 0; magnitude < 4; ++magnitude) {
      const std::uint32_t shift = 8 * magnitude;
      table.of_scale[scale].low |= Steps::template element<Steps>(magnitude, scale) << shift;
      table.of_scale[scale].high |= Steps::template element<Steps>(magnitude + 4, scale) << shift;
    }
  }
  return table;
}

// In device memory, 2 KiB that stay in the first-level cache.
template <class Steps>
__device__ constexpr ResultTable result_table = make_result_table<Steps>();

template <class Steps = ElementSteps>
struct Table {
  __device__ static Bytes16 group(const ScaledCodes& in) {
    const Bytes8 entry = row(in.scale);
    const Bytes8 first = look_up(in.codes.words[0], entry, signs(entry));
    const Bytes8 second = look_up(in.codes.words[1], entry, signs(entry));
    return {{first.low, first.high, second.low, second.high}};
  }

  __device__ static std::uint32_t lanes(std::uint32_t codes, std::uint32_t scales) {
    std::uint32_t bytes = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
      const Bytes8 entry = row(scales >> 8 * lane & 0xff);
      const std::uint32_t code = codes >> 4 * lane & 0xf;
      bytes |= (look_up(code, entry, signs(entry)).low & 0xff) << 8 * lane;
    }
    return bytes;
  }

 private:
  __device__ static Bytes8 row(std::uint32_t scale) {
    return portability::load_cached<Bytes8>(&result_table<Steps>.of_scale[scale]);
  }
  // The result of code 0 is a zero of either sign, unless the scale is NaN.
  __device__ static std::uint32_t signs(Bytes8 entry) {
    return (entry.low & 0x7f) != 0 ? 0 : 0x80808080u;
  }
};

}  // namespace kernels
