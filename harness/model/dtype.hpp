// Element types of the tensors that go into and come out of an operation, by their safetensors
// names.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace harness {

// e2m1 is one code in a byte, its upper half 0; files hold it as U8.
enum class DType { u8, u16, u32, i32, i64, f8_e4m3, f8_e5m2, f8_e8m0, e2m1, f16, bf16, f32 };

// Bytes of one element.
constexpr std::size_t element_bytes(DType dtype) {
  switch (dtype) {
    case DType::u8:
    case DType::f8_e4m3:
    case DType::f8_e5m2:
    case DType::f8_e8m0:
    case DType::e2m1:
      return 1;
    case DType::u16:
    case DType::f16:
    case DType::bf16:
      return 2;
    case DType::u32:
    case DType::i32:
    case DType::f32:
      return 4;
    case DType::i64:
      return 8;
  }
  return 0;
}

// "U8", "I32", "F8_E4M3", ...: the spelling of safetensors, used in every file and message.
std::string_view name_of(DType dtype);
std::optional<DType> dtype_named(std::string_view name);

}  // namespace harness
