// Element types of tensors. Names are those of safetensors, in messages as in files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace oracle {

enum class Dtype : std::uint8_t { u8, u16, u32, i32, i64, e4m3, f16, bf16, f32 };

inline constexpr std::array all_dtypes{Dtype::u8,   Dtype::u16, Dtype::u32,  Dtype::i32, Dtype::i64,
                                       Dtype::e4m3, Dtype::f16, Dtype::bf16, Dtype::f32};

// Bytes of one element.
constexpr std::size_t size_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::u8:
    case Dtype::e4m3:
      return 1;
    case Dtype::u16:
    case Dtype::f16:
    case Dtype::bf16:
      return 2;
    case Dtype::u32:
    case Dtype::i32:
    case Dtype::f32:
      return 4;
    case Dtype::i64:
      return 8;
  }
  return 0;
}

constexpr std::string_view name_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::u8:
      return "U8";
    case Dtype::u16:
      return "U16";
    case Dtype::u32:
      return "U32";
    case Dtype::i32:
      return "I32";
    case Dtype::i64:
      return "I64";
    case Dtype::e4m3:
      return "F8_E4M3";
    case Dtype::f16:
      return "F16";
    case Dtype::bf16:
      return "BF16";
    case Dtype::f32:
      return "F32";
  }
  return "?";
}

}  // namespace oracle
