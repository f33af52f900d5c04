// Element types of tensors. Names are those of safetensors, in messages as in files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace oracle {

// The first nine are numbers of fp4cts/oracle.h. e2m1 is one code in a byte, its upper half 0;
// files hold it as U8.
enum class Dtype : std::uint8_t {
  u8,
  u16,
  u32,
  i32,
  i64,
  e4m3,
  f16,
  bf16,
  f32,
  e5m2,
  e8m0,
  e2m1,
};

namespace detail {

struct DtypeFacts {
  Dtype dtype;
  std::string_view name;
  std::size_t bytes;  // of one element
};
inline constexpr std::array dtype_facts{
    DtypeFacts{Dtype::u8, "U8", 1},        DtypeFacts{Dtype::u16, "U16", 2},
    DtypeFacts{Dtype::u32, "U32", 4},      DtypeFacts{Dtype::i32, "I32", 4},
    DtypeFacts{Dtype::i64, "I64", 8},      DtypeFacts{Dtype::e4m3, "F8_E4M3", 1},
    DtypeFacts{Dtype::f16, "F16", 2},      DtypeFacts{Dtype::bf16, "BF16", 2},
    DtypeFacts{Dtype::f32, "F32", 4},      DtypeFacts{Dtype::e5m2, "F8_E5M2", 1},
    DtypeFacts{Dtype::e8m0, "F8_E8M0", 1}, DtypeFacts{Dtype::e2m1, "E2M1", 1},
};
constexpr bool facts_in_order() {
  for (std::size_t i = 0; i < dtype_facts.size(); ++i) {
    if (static_cast<std::size_t>(dtype_facts[i].dtype) != i) return false;
  }
  return true;
}
static_assert(facts_in_order());

}  // namespace detail

inline constexpr std::array all_dtypes = [] {
  std::array<Dtype, detail::dtype_facts.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = detail::dtype_facts[i].dtype;
  return all;
}();

// Bytes of one element.
constexpr std::size_t size_of(Dtype dtype) {
  return detail::dtype_facts[static_cast<std::size_t>(dtype)].bytes;
}

// "U8", "I32", "F8_E4M3", ...
constexpr std::string_view name_of(Dtype dtype) {
  return detail::dtype_facts[static_cast<std::size_t>(dtype)].name;
}

// None where no dtype has that name.
constexpr std::optional<Dtype> dtype_named(std::string_view name) {
  for (const detail::DtypeFacts& facts : detail::dtype_facts) {
    if (facts.name == name) return facts.dtype;
  }
  return std::nullopt;
}

}  // namespace oracle
