#include "harness/model/dtype.hpp"

#include <array>
#include <utility>

namespace harness {
namespace {
constexpr std::array<std::pair<DType, std::string_view>, 12> names{{{DType::u8, "U8"},
                                                                    {DType::u16, "U16"},
                                                                    {DType::u32, "U32"},
                                                                    {DType::i32, "I32"},
                                                                    {DType::i64, "I64"},
                                                                    {DType::f8_e4m3, "F8_E4M3"},
                                                                    {DType::f8_e5m2, "F8_E5M2"},
                                                                    {DType::f8_e8m0, "F8_E8M0"},
                                                                    {DType::e2m1, "E2M1"},
                                                                    {DType::f16, "F16"},
                                                                    {DType::bf16, "BF16"},
                                                                    {DType::f32, "F32"}}};
}  // namespace

std::string_view name_of(DType dtype) {
  for (const auto& [value, name] : names) {
    if (value == dtype) return name;
  }
  return "?";
}

std::optional<DType> dtype_named(std::string_view name) {
  for (const auto& [value, spelled] : names) {
    if (spelled == name) return value;
  }
  return std::nullopt;
}

}  // namespace harness
