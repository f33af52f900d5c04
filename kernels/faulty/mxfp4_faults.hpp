// MXFP4 pages decoded wrong on purpose, one struct for one class of docs/faults.md. Each element is
// decoded alone: a struct derived from PlainSteps changes one step of its arithmetic, one derived
// from PlainLayout where it comes from or goes to. Never part of a right module.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/destination.hpp"
#include "kernels/arithmetic/e8m0.hpp"
#include "kernels/faulty/element_faults.hpp"
#include "kernels/mxfp4/pages.hpp"

namespace kernels::faulty {

struct PlainSteps {
  __device__ static float code(std::uint32_t code) { return f32_from_e2m1(code); }
  __device__ static float scale(std::uint32_t scale) { return f32_from_e8m0(scale); }
  template <class To>
  __device__ static std::uint32_t encode(float value) {
    return To::encode(value);
  }
  template <class Self, class To>
  __device__ static std::uint32_t element(std::uint32_t code, std::uint32_t scale) {
    return Self::template encode<To>(Self::code(code) * Self::scale(scale));
  }
};

struct PlainLayout : Mxfp4Layout {
  template <class Self>
  __device__ static std::uint32_t code(const Source& source, unsigned token, unsigned element) {
    const unsigned from = Self::code_element(element);
    return source.codes[token * 64 + from / 2] >> Self::nibble_shift(from) & 0xf;
  }
  template <class Self>
  __device__ static std::uint32_t scale(const Source& source, unsigned token, unsigned element) {
    return source.scales[Self::scale_index(token, element)];
  }
  __device__ static unsigned code_element(unsigned element) { return element; }
  __device__ static unsigned nibble_shift(unsigned element) { return element % 2 * 4; }
  __device__ static unsigned scale_index(unsigned token, unsigned element) {
    return token * 4 + element / 32;
  }
  __device__ static std::int64_t output_bytes(std::int64_t output_page, unsigned element_bytes) {
    return output_page * (16384 * std::int64_t{element_bytes});
  }
};

template <class Steps, class Layout, class To, class Args>
__device__ void wrong_page_to(const Args& args) {
  const auto place = Layout::template place<Layout>(args, blockIdx.x);
  if (!place.exists) return;
  const auto source = Layout::template source<Layout>(args, place);
  auto* const out =
      static_cast<std::uint8_t*>(args.out) + Layout::output_bytes(place.output_page, To::bytes);
  for (unsigned i = threadIdx.x; i < 16384; i += mxfp4_threads) {
    const std::uint32_t code = Layout::template code<Layout>(source, i / 128, i % 128);
    const std::uint32_t scale = Layout::template scale<Layout>(source, i / 128, i % 128);
    const std::uint32_t bits = Steps::template element<Steps, To>(code, scale);
    for (unsigned byte = 0; byte < To::bytes; ++byte) {
      out[i * To::bytes + byte] = static_cast<std::uint8_t>(bits >> 8 * byte);
    }
  }
}

template <class Steps, class Layout = PlainLayout, class Args>
__device__ void wrong_page(const Args& args) {
  switch (args.out_dtype) {
    case FP4CTS_E4M3:
      return wrong_page_to<Steps, Layout, ToE4m3>(args);
    case FP4CTS_F32:
      return wrong_page_to<Steps, Layout, ToF32>(args);
    case FP4CTS_BF16:
      return wrong_page_to<Steps, Layout, ToBf16>(args);
    case FP4CTS_F16:
      return wrong_page_to<Steps, Layout, ToF16>(args);
  }
}

// The encoder to e4m3 of element_faults.hpp's Fault; other destinations are right.
template <class Fault>
struct WrongE4m3 : PlainSteps {
  template <class To>
  __device__ static std::uint32_t encode(float value) {
    if constexpr (To::bytes == 1) return Fault::encode(value);
    return To::encode(value);
  }
};

struct F32OverflowInfToNan {
  __device__ static std::uint32_t encode(float value) {
    return magnitude_bits(value) == 0x7f800000 ? 0x7f : e4m3_from_f32(value);
  }
};

// The element decoder of Fault.
template <class Fault>
struct WrongCode : PlainSteps {
  __device__ static float code(std::uint32_t code) { return Fault::code(code); }
};

// Into every destination.
struct NegativeZeroLost : PlainSteps {
  template <class To>
  __device__ static std::uint32_t encode(float value) {
    const std::uint32_t bits = To::encode(value);
    return bits == 1u << (8 * To::bytes - 1) ? 0 : bits;
  }
};

struct StubReturnsZero : PlainSteps {
  template <class To>
  __device__ static std::uint32_t encode(float) {
    return 0;
  }
};

struct ZeroCodeSkipsScale : PlainSteps {
  template <class Self, class To>
  __device__ static std::uint32_t element(std::uint32_t code, std::uint32_t scale) {
    if ((code & 7) == 0) return (code & 8) << (8 * To::bytes - 4);
    return PlainSteps::element<PlainSteps, To>(code, scale);
  }
};

// f32 subnormals: of products, and of scales too.
template <bool scales_too>
struct F32SubnormalsFlushed : PlainSteps {
  __device__ static float flushed(float value) {
    return magnitude_bits(value) < 0x00800000
               ? bit_cast<float>(bit_cast<std::uint32_t>(value) & 0x80000000)
               : value;
  }
  __device__ static float scale(std::uint32_t scale) {
    const float factor = f32_from_e8m0(scale);
    return scales_too ? flushed(factor) : factor;
  }
  template <class To>
  __device__ static std::uint32_t encode(float value) {
    return To::encode(flushed(value));
  }
};

// The scale decoder. Where it is given, f32 bits for 00 and for ff.
template <std::uint32_t of_00, std::uint32_t of_ff>
struct WrongScaleEnds : PlainSteps {
  __device__ static float scale(std::uint32_t scale) {
    return bit_cast<float>(scale == 0 ? of_00 : scale == 0xff ? of_ff : scale << 23);
  }
};
inline constexpr std::uint32_t f32_2_to_minus_127 = 0x00400000;
inline constexpr std::uint32_t f32_nan = 0x7fc00000;
using Code0Flushed = WrongScaleEnds<0, f32_nan>;
using NanBecomesInf = WrongScaleEnds<f32_2_to_minus_127, 0x7f800000>;
using ByteShiftedBy23 = WrongScaleEnds<0, 0x7f800000>;
using Code0MeansOne = WrongScaleEnds<0x3f800000, f32_nan>;

// ff acts as 2^128, of which f32 holds the half.
struct NanIgnored : PlainSteps {
  template <class Self, class To>
  __device__ static std::uint32_t element(std::uint32_t code, std::uint32_t scale) {
    if (scale != 0xff) return PlainSteps::element<PlainSteps, To>(code, scale);
    return To::encode(f32_from_e2m1(code) * 2 * 0x1p127f);
  }
};

struct IntegerShift : PlainSteps {
  __device__ static float scale(std::uint32_t scale) {
    return static_cast<float>(static_cast<std::int32_t>(1u << scale % 32));
  }
};

struct BiasOffByOne : PlainSteps {
  __device__ static float scale(std::uint32_t scale) { return f32_from_e8m0(scale) * 0.5f; }
};

struct ByteUsedAsInteger : PlainSteps {
  __device__ static float scale(std::uint32_t scale) { return static_cast<float>(scale); }
};

struct FormatConfused : PlainSteps {
  __device__ static float scale(std::uint32_t scale) { return f32_from_e4m3(scale); }
};

}  // namespace kernels::faulty
