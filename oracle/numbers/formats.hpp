// The formats of this suite, one tag each, and the list of them all. Limits are derived by
// format_spec.hpp; the assertions below pin each to the number its document states.
//
// Sources: OCP Microscaling Formats (MX) v1.0 (e2m1, e2m3, e3m2, e8m0); OCP 8-bit Floating Point
// (OFP8) v1.0 (e4m3, e5m2); AMD CDNA3 ISA (e4m3fnuz); PTX ISA (ue4m3, ue5m3, scale types of block
// scaled operations); IEEE 754 (f32, f16) and bfloat16, which is f32 without its low 16 bits.
#pragma once

#include <array>
#include <concepts>
#include <string>
#include <string_view>

#include "oracle/numbers/format_spec.hpp"
#include "oracle/result.hpp"

namespace oracle {

template <class F>
concept Format = requires {
  { F::spec } -> std::same_as<const FormatSpec&>;
};

struct e2m1 {
  static constexpr FormatSpec spec{
      .name = "e2m1", .exponent_bits = 2, .mantissa_bits = 1, .bias = 1};
};
struct e2m3 {
  static constexpr FormatSpec spec{
      .name = "e2m3", .exponent_bits = 2, .mantissa_bits = 3, .bias = 1};
};
struct e3m2 {
  static constexpr FormatSpec spec{
      .name = "e3m2", .exponent_bits = 3, .mantissa_bits = 2, .bias = 3};
};
struct e4m3 {
  static constexpr FormatSpec spec{.name = "e4m3",
                                   .exponent_bits = 4,
                                   .mantissa_bits = 3,
                                   .bias = 7,
                                   .nan = NanEncoding::all_ones};
};
struct e4m3fnuz {
  static constexpr FormatSpec spec{.name = "e4m3fnuz",
                                   .exponent_bits = 4,
                                   .mantissa_bits = 3,
                                   .bias = 8,
                                   .nan = NanEncoding::negative_zero};
};
struct e5m2 {
  static constexpr FormatSpec spec{.name = "e5m2",
                                   .exponent_bits = 5,
                                   .mantissa_bits = 2,
                                   .bias = 15,
                                   .infinities = true,
                                   .nan = NanEncoding::ieee};
};
// Seven bits; stored in a byte whose highest bit is clear.
struct ue4m3 {
  static constexpr FormatSpec spec{.name = "ue4m3",
                                   .sign_bits = 0,
                                   .exponent_bits = 4,
                                   .mantissa_bits = 3,
                                   .bias = 7,
                                   .nan = NanEncoding::all_ones};
};
struct ue5m3 {
  static constexpr FormatSpec spec{.name = "ue5m3",
                                   .sign_bits = 0,
                                   .exponent_bits = 5,
                                   .mantissa_bits = 3,
                                   .bias = 15,
                                   .nan = NanEncoding::all_ones};
};
// A power of two: no sign, no zero; 00 is 2^-127.
struct e8m0 {
  static constexpr FormatSpec spec{.name = "e8m0",
                                   .sign_bits = 0,
                                   .exponent_bits = 8,
                                   .mantissa_bits = 0,
                                   .bias = 127,
                                   .subnormals = false,
                                   .nan = NanEncoding::all_ones};
};
struct f32 {
  static constexpr FormatSpec spec{.name = "f32",
                                   .exponent_bits = 8,
                                   .mantissa_bits = 23,
                                   .bias = 127,
                                   .infinities = true,
                                   .nan = NanEncoding::ieee};
};
struct f16 {
  static constexpr FormatSpec spec{.name = "f16",
                                   .exponent_bits = 5,
                                   .mantissa_bits = 10,
                                   .bias = 15,
                                   .infinities = true,
                                   .nan = NanEncoding::ieee};
};
struct bf16 {
  static constexpr FormatSpec spec{.name = "bf16",
                                   .exponent_bits = 8,
                                   .mantissa_bits = 7,
                                   .bias = 127,
                                   .infinities = true,
                                   .nan = NanEncoding::ieee};
};

// Every format, each once: as tags, for what is done for each of them, and as facts.
template <class... Format>
struct FormatList {
  static constexpr std::array specs{Format::spec...};
};
using AllFormats =
    FormatList<e2m1, e2m3, e3m2, e4m3, e4m3fnuz, e5m2, ue4m3, ue5m3, e8m0, f32, f16, bf16>;
inline constexpr std::array all_formats = AllFormats::specs;

// The format of that name, or an error that lists the names there are.
[[nodiscard]] inline Result<FormatSpec> find_format(std::string_view name) {
  std::string known;
  for (const FormatSpec& f : all_formats) {
    if (f.name == name) return f;
    known += known.empty() ? "" : ", ";
    known += f.name;
  }
  return fail(ErrorCode::unknown_name,
              "format: expected one of " + known + "; got '" + std::string(name) + "'");
}

namespace detail {

// significand * 2^exponent, the way documents state a limit.
constexpr Exact times(std::uint64_t significand, int exponent) {
  return Exact::finite(false, significand, exponent);
}

// True where the derived limits are those a document states.
constexpr bool pinned(const FormatSpec& f, std::uint64_t codes, std::uint32_t max_code,
                      const Exact& max, const Exact& normal, const Exact& positive) {
  return num_codes(f) == codes && max_finite_code(f) == max_code && max_finite(f) == max &&
         min_normal(f) == normal && min_positive(f) == positive;
}

static_assert(pinned(e2m1::spec, 16, 0b0'11'1, times(6, 0), times(1, 0), times(1, -1)));
static_assert(pinned(e2m3::spec, 64, 0b0'11'111, times(15, -1), times(1, 0), times(1, -3)));
static_assert(pinned(e3m2::spec, 64, 0b0'111'11, times(28, 0), times(1, -2), times(1, -4)));
static_assert(pinned(e4m3::spec, 256, 0b0'1111'110, times(448, 0), times(1, -6), times(1, -9)));
static_assert(pinned(e4m3fnuz::spec, 256, 0b0'1111'111, times(240, 0), times(1, -7),
                     times(1, -10)));
static_assert(pinned(e5m2::spec, 256, 0b0'11110'11, times(57344, 0), times(1, -14), times(1, -16)));
static_assert(pinned(ue4m3::spec, 128, 0b1111'110, times(448, 0), times(1, -6), times(1, -9)));
static_assert(pinned(ue5m3::spec, 256, 0b11111'110, times(114688, 0), times(1, -14),
                     times(1, -17)));
static_assert(pinned(e8m0::spec, 256, 0xfe, times(1, 127), times(1, -127), times(1, -127)));
static_assert(pinned(f32::spec, 1ull << 32, 0x7f7fffff, times(0xffffff, 104), times(1, -126),
                     times(1, -149)));
static_assert(pinned(f16::spec, 1ull << 16, 0x7bff, times(65504, 0), times(1, -14), times(1, -24)));
static_assert(pinned(bf16::spec, 1ull << 16, 0x7f7f, times(0xff, 120), times(1, -126),
                     times(1, -133)));

static_assert(!has_nan(e2m1::spec) && !has_nan(e2m3::spec) && !has_nan(e3m2::spec));
static_assert(canonical_nan_code(e4m3::spec) == 0x7f && is_nan(e4m3::spec, 0xff));
static_assert(canonical_nan_code(e4m3fnuz::spec) == 0x80 && !is_nan(e4m3fnuz::spec, 0x7f));
static_assert(canonical_nan_code(e5m2::spec) == 0x7e && infinity_code(e5m2::spec, true) == 0xfc);
static_assert(canonical_nan_code(ue4m3::spec) == 0x7f && canonical_nan_code(ue5m3::spec) == 0xff);
static_assert(canonical_nan_code(e8m0::spec) == 0xff && !is_nan(e8m0::spec, 0));
static_assert(canonical_nan_code(f32::spec) == 0x7fc00000 &&
              infinity_code(f32::spec, false) == 0x7f800000);
static_assert(canonical_nan_code(f16::spec) == 0x7e00 && infinity_code(f16::spec, false) == 0x7c00);
static_assert(canonical_nan_code(bf16::spec) == 0x7fc0 &&
              infinity_code(bf16::spec, false) == 0x7f80);

}  // namespace detail

}  // namespace oracle
