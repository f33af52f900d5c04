// Arithmetic that is wrong on purpose, one struct for one class of docs/faults.md: each changes one
// step of ElementSteps (arithmetic/element.hpp). Never part of a right module.
#pragma once

#include <cstdint>

#include "kernels/arithmetic/element.hpp"

namespace kernels::faulty {

__host__ __device__ constexpr std::uint32_t magnitude_bits(float value) {
  return bit_cast<std::uint32_t>(value) & 0x7fffffff;
}
__host__ __device__ constexpr std::uint32_t sign_byte(float value) {
  return bit_cast<std::uint32_t>(value) >> 24 & 0x80;
}
__host__ __device__ constexpr float absolute(float value) {
  return bit_cast<float>(magnitude_bits(value));
}
// 2^exponent for -126 <= exponent <= 127.
__host__ __device__ constexpr float power_of_two(int exponent) {
  return bit_cast<float>(static_cast<std::uint32_t>(exponent + 127) << 23);
}

// The encoder.

struct EncTopBinadeSaturates : ElementSteps {
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    if (is_nan(value) || absolute(value) < 256) return e4m3_from_f32(value);
    return sign_byte(value) | 0x7e;
  }
};

struct EncFiniteOverflowToNan : ElementSteps {
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    if (is_nan(value) || absolute(value) <= 464) return e4m3_from_f32(value);
    return sign_byte(value) | 0x7f;
  }
};

struct EncTruncates : ElementSteps {
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    if (is_nan(value) || absolute(value) >= 448) return e4m3_from_f32(value);
    if (absolute(value) < 0x1p-6f) {
      return sign_byte(value) | static_cast<std::uint32_t>(absolute(value) * 512);
    }
    return sign_byte(value) | (magnitude_bits(value) - (120u << 23)) >> 20;
  }
};

struct EncTiesAway : ElementSteps {
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    if (is_nan(value) || absolute(value) >= 448) return e4m3_from_f32(value);
    if (absolute(value) < 0x1p-6f) {
      return sign_byte(value) | static_cast<std::uint32_t>(absolute(value) * 512 + 0.5f);
    }
    return sign_byte(value) | (magnitude_bits(value) - (120u << 23) + 0x80000) >> 20;
  }
};

struct EncSubnormalFlush : ElementSteps {
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    const std::uint32_t byte = e4m3_from_f32(value);
    return (byte & 0x78) == 0 ? byte & 0x80 : byte;
  }
};

struct EncSubnormalWrongQuantum : ElementSteps {
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    const std::uint32_t byte = e4m3_from_f32(value);
    return (byte & 0x78) == 0 ? (byte & 0x80) | (byte & 7) >> 1 : byte;
  }
};

struct EncNegativeZeroLost : ElementSteps {
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    const std::uint32_t byte = e4m3_from_f32(value);
    return byte == 0x80 ? 0 : byte;
  }
};

// min(max(v, -448), 448) of the operand that is no NaN, and the other nesting.
struct EncNanSwallowedByClamp : ElementSteps {
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    return is_nan(value) ? 0xfe : e4m3_from_f32(value);
  }
};
struct EncNanSwallowedByClampMinFirst : ElementSteps {
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    return is_nan(value) ? 0x7e : e4m3_from_f32(value);
  }
};

struct FnuzOutput : ElementSteps {
  // Twice the value has the same bits under bias 7, up to 240 * 2 = 480, which is 7f.
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    if (is_nan(value)) return 0x80;
    if (absolute(value) > 232) return sign_byte(value) | 0x7f;
    const std::uint32_t byte = e4m3_from_f32(value * 2);
    return byte == 0x80 ? 0 : byte;
  }
};

struct NanSign : ElementSteps {
  template <class Self>
  __host__ __device__ static constexpr std::uint32_t element(std::uint32_t code,
                                                             std::uint32_t scale) {
    const std::uint32_t byte = ElementSteps::element<ElementSteps>(code, scale);
    return byte == 0x7f ? byte | (scale & 0x80) : byte;
  }
};

struct TensorScaleDroppedOrAdded : ElementSteps {
  __host__ __device__ static constexpr std::uint32_t encode(float value) {
    return e4m3_from_f32(value * 0.5f);
  }
};

struct UnsupportedArchStubReturnsZero : ElementSteps {
  __host__ __device__ static constexpr std::uint32_t encode(float) { return 0; }
};

struct ZeroCodeShortCircuit : ElementSteps {
  template <class Self>
  __host__ __device__ static constexpr std::uint32_t element(std::uint32_t code,
                                                             std::uint32_t scale) {
    if ((code & 7) == 0) return (code & 8) << 4;
    return ElementSteps::element<ElementSteps>(code, scale);
  }
};

// The element decoder.

struct ElementSubnormalAsNormal : ElementSteps {
  __host__ __device__ static constexpr float code(std::uint32_t code) {
    return bit_cast<float>((code & 8) << 28 | (((code & 7) << 22) + (126u << 23)));
  }
};

struct ElementTableDoubled : ElementSteps {
  __host__ __device__ static constexpr float code(std::uint32_t code) {
    return f32_from_e2m1(code) * 2;
  }
};

// The scale decoder.

struct E4m3ScaleSubnormalImplicitOne : ElementSteps {
  __host__ __device__ static constexpr float scale(std::uint32_t scale) {
    const std::uint32_t magnitude = scale & 0x7f;
    if (magnitude == 0 || magnitude > 7) return f32_from_e4m3(scale);
    const float value = static_cast<float>(8 + magnitude) * 0x1p-10f;
    return (scale & 0x80) != 0 ? -value : value;
  }
};

struct E4m3ScaleZeroNotZero : ElementSteps {
  __host__ __device__ static constexpr float scale(std::uint32_t scale) {
    const std::uint32_t magnitude = scale & 0x7f;
    if (magnitude > 7) return f32_from_e4m3(scale);
    const float value = static_cast<float>(8 + magnitude) * 0x1p-10f;
    return (scale & 0x80) != 0 ? -value : value;
  }
};

struct E4m3ScaleSubnormalFlushed : ElementSteps {
  __host__ __device__ static constexpr float scale(std::uint32_t scale) {
    return f32_from_e4m3((scale & 0x78) == 0 ? scale & 0x80 : scale);
  }
};

struct E4m3ScaleNanReads480 : ElementSteps {
  __host__ __device__ static constexpr float scale(std::uint32_t scale) {
    if ((scale & 0x7f) != 0x7f) return f32_from_e4m3(scale);
    return (scale & 0x80) != 0 ? -480.0f : 480.0f;
  }
};

struct E4m3ScaleTopBinadeIsNan : ElementSteps {
  __host__ __device__ static constexpr float scale(std::uint32_t scale) {
    return f32_from_e4m3((scale & 0x78) == 0x78 ? 0x7f : scale);
  }
};
struct E4m3ScaleTopBinadeIsNanButItsFirst : ElementSteps {
  __host__ __device__ static constexpr float scale(std::uint32_t scale) {
    return f32_from_e4m3((scale & 0x7f) > 0x78 ? 0x7f : scale);
  }
};

struct E4m3ScaleSignIgnored : ElementSteps {
  __host__ __device__ static constexpr float scale(std::uint32_t scale) {
    return f32_from_e4m3(scale & 0x7f);
  }
};

struct ScaleByteUsedAsInteger : ElementSteps {
  __host__ __device__ static constexpr float scale(std::uint32_t scale) {
    return static_cast<float>(scale);
  }
};

struct ScaleFormatConfused : ElementSteps {
  __host__ __device__ static constexpr float scale(std::uint32_t scale) {
    if (scale == 0xff) return bit_cast<float>(0x7fc00000u);
    return scale == 0 ? 0x1p-127f : bit_cast<float>(scale << 23);
  }
};

// The power of two above, and the nearest one.
template <bool nearest>
struct ScaleRoundedToPowerOfTwo : ElementSteps {
  __host__ __device__ static constexpr float scale(std::uint32_t scale) {
    const float value = f32_from_e4m3(scale);
    const std::uint32_t bits = bit_cast<std::uint32_t>(value);
    if (is_nan(value) || (bits & 0x7fffff) == 0) return value;
    return bit_cast<float>((bits + (nearest ? 0x400000u : 0x7fffffu)) & 0xff800000u);
  }
};

struct FnuzScaleDecode : ElementSteps {
  __host__ __device__ static constexpr float scale(std::uint32_t scale) {
    if (scale == 0x80) return bit_cast<float>(0x7fc00000u);
    const float value = (scale & 0x7f) == 0x7f ? 240.0f : f32_from_e4m3(scale & 0x7f) * 0.5f;
    return (scale & 0x80) != 0 ? -value : value;
  }
};

// The nibbles of a word, before a right element arithmetic.

struct NibbleOrderSwapped {
  __host__ __device__ static constexpr std::uint32_t word(std::uint32_t codes) {
    return (codes & 0x0f0f0f0f) << 4 | (codes >> 4 & 0x0f0f0f0f);
  }
};

struct WordOrderReversed {
  __host__ __device__ static constexpr std::uint32_t word(std::uint32_t codes) {
    std::uint32_t reversed = 0;
    for (unsigned i = 0; i < 8; ++i) reversed |= (codes >> 4 * i & 0xf) << 4 * (7 - i);
    return reversed;
  }
};

struct SecondElementOfPairZero {
  __host__ __device__ static constexpr std::uint32_t word(std::uint32_t codes) {
    return codes & 0x0f0f0f0f;
  }
};

template <class Order>
struct Reordered {
  __device__ static Bytes16 group(const ScaledCodes& in) {
    return ElementWise<>::group(
        {{{Order::word(in.codes.words[0]), Order::word(in.codes.words[1])}}, in.scale});
  }
};

}  // namespace kernels::faulty
