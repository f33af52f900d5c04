// The paths of the MXFP4 kernels. Each has `Piece<To>::decode`, which takes 16 codes under one
// scale to 16 elements of a destination.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/destination.hpp"
#include "kernels/arithmetic/e8m0.hpp"
#include "kernels/arithmetic/fp32.hpp"
#include "kernels/arithmetic/table.hpp"
#include "kernels/pages/page.hpp"

namespace kernels {

// fp32: the exact f32 product of each element, one encoding, with the chip's own conversion to e4m3
// where it has one.
struct Mxfp4Fp32 {
  template <class To>
  struct Piece : ElementWisePieces<E8m0Steps>::Piece<To> {};
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
template <>
struct Mxfp4Fp32::Piece<ToE4m3> {
  __device__ static Decoded<ToE4m3> decode(const ScaledCodes& in) {
    const Bytes16 bytes = Fp32::scaled(in.codes, f32_from_e8m0(in.scale));
    return {{bytes.words[0], bytes.words[1], bytes.words[2], bytes.words[3]}};
  }
};
#endif

// table: for every scale byte the results of the eight magnitudes, byte by byte. In device memory,
// in a layout that byte permutes select from: all low bytes, then all high bytes.
template <class To>
struct WideTable {
  struct alignas(16) Row {
    Bytes8 low;
    Bytes8 high;
  };
  Row of_scale[256];
};

template <class To>
constexpr WideTable<To> make_wide_table() {
  WideTable<To> table{};
  for (std::uint32_t scale = 0; scale < 256; ++scale) {
    for (std::uint32_t magnitude = 0; magnitude < 8; ++magnitude) {
      const std::uint32_t code = To::encode(f32_product(magnitude, scale));
      const std::uint32_t shift = 8 * (magnitude % 4);
      auto& row = table.of_scale[scale];
      (magnitude < 4 ? row.low.low : row.low.high) |= (code & 0xff) << shift;
      (magnitude < 4 ? row.high.low : row.high.high) |= (code >> 8 & 0xff) << shift;
    }
  }
  return table;
}

template <class To>
__device__ constexpr WideTable<To> wide_table = make_wide_table<To>();

struct Mxfp4Table {
  template <class To>
  struct Piece;
};

template <>
struct Mxfp4Table::Piece<ToE4m3> {
  __device__ static Decoded<ToE4m3> decode(const ScaledCodes& in) {
    const Bytes16 bytes = Table<E8m0TableSteps>::group(in);
    return {{bytes.words[0], bytes.words[1], bytes.words[2], bytes.words[3]}};
  }
};

// Two bytes an element. The product of code 0 is zero, of which no bit is set, unless it is a NaN,
// whose sign is left alone.
template <class To>
struct Mxfp4WideTable {
  __device__ static Decoded<To> decode(const ScaledCodes& in) {
    using Row = typename WideTable<To>::Row;
    const auto* const entry = &wide_table<To>.of_scale[in.scale];
    const Row row{portability::load_cached<Bytes8>(&entry->low),
                  portability::load_cached<Bytes8>(&entry->high)};
    const std::uint32_t signs = ((row.low.low | row.high.low) & 0xff) != 0 ? 0 : 0x80808080u;
    Decoded<To> out;
    portability::unrolled<2>([&](unsigned half) {
      const Bytes8 low = look_up(in.codes.words[half], row.low, 0);
      const Bytes8 high = look_up(in.codes.words[half], row.high, signs);
      std::uint32_t* const words = out.words + 4 * half;
      words[0] = portability::byte_perm(low.low, high.low, 0x5140);
      words[1] = portability::byte_perm(low.low, high.low, 0x7362);
      words[2] = portability::byte_perm(low.high, high.high, 0x5140);
      words[3] = portability::byte_perm(low.high, high.high, 0x7362);
    });
    return out;
  }
};

template <>
struct Mxfp4Table::Piece<ToBf16> : Mxfp4WideTable<ToBf16> {};
template <>
struct Mxfp4Table::Piece<ToF16> : Mxfp4WideTable<ToF16> {};

// Every product and every special value of f32 has 16 zero bits below those of bf16.
template <>
struct Mxfp4Table::Piece<ToF32> {
  __device__ static Decoded<ToF32> decode(const ScaledCodes& in) {
    const Decoded<ToBf16> upper = Piece<ToBf16>::decode(in);
    Decoded<ToF32> out;
    portability::unrolled<8>([&](unsigned i) {
      out.words[2 * i] = upper.words[i] << 16;
      out.words[2 * i + 1] = upper.words[i] & 0xffff0000u;
    });
    return out;
  }
};

}  // namespace kernels
