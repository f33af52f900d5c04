#include <fmt/format.h>

#include "oracle/numbers/encode.hpp"
#include "properties/faults/page_sites.hpp"

namespace properties {
namespace {

struct Pair {
  const Arithmetic& a;
  std::uint8_t code;
  std::uint8_t scale;
  std::uint32_t right;
};

struct Value {
  std::string_view name;
  std::string_view operation;  // empty: both gathers
  std::vector<std::string_view> truths;
  std::uint32_t (*result)(const Pair& pair);
};

constexpr std::string_view product_wrong = "product_values_wrong";
constexpr std::string_view scale_wrong = "scale_values_wrong";
constexpr std::string_view element_wrong = "element_values_wrong";
constexpr std::string_view store_wrong = "store_values_wrong";

std::uint32_t rounded(const Arithmetic& a, std::uint8_t code, std::uint8_t scale,
                      std::uint32_t right, oracle::Round mode) {
  const oracle::Exact product = a.product(code, scale);
  if (!product.is_finite_nonzero() || oracle::is_nan(a.spec(), right)) return right;
  return oracle::encode(
             a.spec(), product, mode,
             a.to == oracle::Dtype::e4m3 ? oracle::Overflow::satfinite : oracle::Overflow::to_inf,
             oracle::strict)
      .value_or(right);
}

const std::vector<Value>& values() {
  static const std::vector<Value> all{
      {"scales_are_a_code_more",
       nvfp4_gather,
       {scale_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return p.a(p.code, static_cast<std::uint8_t>(p.scale + 1));
       }},
      {"even_scales_only",
       nvfp4_gather,
       {scale_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t { return p.a(p.code, p.scale & 0xfe); }},
      {"scale_bits_0_and_1_swapped",
       nvfp4_gather,
       {scale_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return p.a(p.code, static_cast<std::uint8_t>((p.scale & 0xfc) | (p.scale & 1) << 1 |
                                                      (p.scale >> 1 & 1)));
       }},
      {"scales_clamped_at_128",
       nvfp4_gather,
       {scale_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         const std::uint8_t magnitude = p.scale & 0x7f;
         return p.a(p.code, magnitude > 0x70 && magnitude < 0x7f
                                ? static_cast<std::uint8_t>((p.scale & 0x80) | 0x70)
                                : p.scale);
       }},
      {"negative_scales_are_zero",
       nvfp4_gather,
       {scale_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return p.scale > 0x80 && p.scale < 0xff ? p.a(p.code, 0x80) : p.right;
       }},
      {"scale_nibbles_swapped",
       {},
       {scale_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return p.a(p.code, static_cast<std::uint8_t>(p.scale << 4 | p.scale >> 4));
       }},
      {"scale_bits_reversed",
       {},
       {scale_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         std::uint8_t bits = 0;
         for (int i = 0; i < 8; ++i)
           bits = static_cast<std::uint8_t>(bits << 1 | (p.scale >> i & 1));
         return p.a(p.code, bits);
       }},
      {"scale_complemented",
       {},
       {scale_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return p.a(p.code, static_cast<std::uint8_t>(~p.scale));
       }},
      {"subnormal_scales_are_the_smallest_normal",
       nvfp4_gather,
       {scale_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return (p.scale & 0x78) == 0 && (p.scale & 7) != 0
                    ? p.a(p.code, static_cast<std::uint8_t>((p.scale & 0x80) | 8))
                    : p.right;
       }},
      {"scales_are_signed_powers",
       mxfp4_gather,
       {scale_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t { return p.a(p.code, p.scale ^ 0x80); }},
      {"large_scales_are_nan",
       mxfp4_gather,
       {scale_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return p.scale >= 0xf0 ? p.a(p.code, 0xff) : p.right;
       }},
      {"codes_5_and_6_swapped",
       {},
       {element_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         const std::uint8_t m = p.code & 7;
         return m == 5 || m == 6 ? p.a(static_cast<std::uint8_t>(p.code ^ 3), p.scale) : p.right;
       }},
      {"code_7_is_4",
       {},
       {element_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return (p.code & 7) == 7 ? p.a(static_cast<std::uint8_t>(p.code - 1), p.scale) : p.right;
       }},
      {"code_1_is_0",
       {},
       {element_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return (p.code & 7) == 1 ? p.a(p.code & 8, p.scale) : p.right;
       }},
      {"signs_of_codes_inverted",
       {},
       {element_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t { return p.a(p.code ^ 8, p.scale); }},
      {"sign_is_bit_0",
       {},
       {element_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return p.a(static_cast<std::uint8_t>(p.code >> 1 | (p.code & 1) << 3), p.scale);
       }},
      {"twos_complement_codes",
       {},
       {element_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return p.code > 8 ? p.a(static_cast<std::uint8_t>(8 | ((16 - p.code) & 7)), p.scale)
                           : p.right;
       }},
      {"odd_results_cleared",
       {},
       {store_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return oracle::is_nan(p.a.spec(), p.right) ? p.right : p.right & ~1U;
       }},
      {"largest_result_one_less",
       {},
       {store_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return (p.right & oracle::magnitude_mask(p.a.spec())) ==
                        oracle::max_finite_code(p.a.spec())
                    ? p.right - 1
                    : p.right;
       }},
      {"results_have_bit_0_and_1_swapped",
       nvfp4_gather,
       {store_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return oracle::is_nan(p.a.spec(), p.right)
                    ? p.right
                    : (p.right & ~3U) | (p.right & 1) << 1 | (p.right >> 1 & 1);
       }},
      {"nan_is_minus_zero",
       {},
       {store_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return oracle::is_nan(p.a.spec(), p.right) ? oracle::sign_mask(p.a.spec()) : p.right;
       }},
      {"negative_results_are_zero",
       {},
       {store_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return oracle::is_negative(p.a.spec(), p.right) && !oracle::is_nan(p.a.spec(), p.right)
                    ? 0
                    : p.right;
       }},
      {"small_results_are_the_smallest",
       nvfp4_gather,
       {store_wrong, product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return (p.right & 0x7f) > 0 && (p.right & 0x7f) < 4 ? (p.right & 0x80) | 4 : p.right;
       }},
      {"values_below_one_are_truncated",
       nvfp4_gather,
       {product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return (p.right & 0x7f) < 0x38 ? rounded(p.a, p.code, p.scale, p.right, oracle::Round::rtz)
                                        : p.right;
       }},
      {"negative_values_round_up",
       nvfp4_gather,
       {product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return (p.right & 0x80) != 0 ? rounded(p.a, p.code, p.scale, p.right, oracle::Round::rtp)
                                      : p.right;
       }},
      {"subnormal_values_round_ties_away",
       nvfp4_gather,
       {product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return (p.right & 0x78) == 0 ? rounded(p.a, p.code, p.scale, p.right, oracle::Round::rna)
                                      : p.right;
       }},
      {"rounds_up",
       nvfp4_gather,
       {product_wrong, "enc_rounds_up"},
       [](const Pair& p) -> std::uint32_t {
         return rounded(p.a, p.code, p.scale, p.right, oracle::Round::rtp);
       }},
      {"rounds_down",
       nvfp4_gather,
       {product_wrong, "enc_rounds_down"},
       [](const Pair& p) -> std::uint32_t {
         return rounded(p.a, p.code, p.scale, p.right, oracle::Round::rtn);
       }},
      {"element_3_under_odd_scales_is_off",
       nvfp4_gather,
       {product_wrong},
       [](const Pair& p) -> std::uint32_t {
         return p.code == 5 && p.scale % 2 == 1 && (p.right & 0x7f) < 0x7e ? p.right ^ 1 : p.right;
       }},
      {"bytes_swapped",
       mxfp4_decoder,
       {store_wrong, product_wrong, "bytes_swapped"},
       [](const Pair& p) -> std::uint32_t {
         if (p.a.to == oracle::Dtype::e4m3) return p.right;
         return p.a.to == oracle::Dtype::f32
                    ? __builtin_bswap32(p.right)
                    : std::uint32_t{__builtin_bswap16(static_cast<std::uint16_t>(p.right))};
       }},
      {"wide_infinity_is_the_largest",
       mxfp4_decoder,
       {store_wrong, product_wrong, "infinity_becomes_largest"},
       [](const Pair& p) -> std::uint32_t {
         const oracle::FormatSpec& f = p.a.spec();
         return f.infinities && oracle::is_infinity(f, p.right) ? p.right - 1 : p.right;
       }},
      {"wide_subnormals_are_zero",
       mxfp4_decoder,
       {store_wrong, product_wrong, "enc_subnormal_flush", "flush_to_zero_default_differs"},
       [](const Pair& p) -> std::uint32_t {
         return (p.right & oracle::exponent_mask(p.a.spec())) == 0
                    ? p.right & oracle::sign_mask(p.a.spec())
                    : p.right;
       }},
      {"scale_added_to_the_exponent_bits",
       mxfp4_decoder,
       {product_wrong, "e8m0_added_to_exponent_bits"},
       [](const Pair& p) -> std::uint32_t {
         // bf16 and f16: the element's bits, and the p.scale's exponent on top of theirs.
         if (p.a.to != oracle::Dtype::bf16 && p.a.to != oracle::Dtype::f16) return p.right;
         const std::uint32_t one = p.a(p.code, 127);
         const int bits = p.a.spec().mantissa_bits;
         return (one + ((static_cast<std::uint32_t>(p.scale) - 127U) << bits)) & 0xffffU;
       }},
  };
  return all;
}

Mutant value_mutant(std::string_view operation, const Value& value, const Place& place) {
  Mutant mutant{
      fmt::format("{}_{}_{}", operation, value.name, place.name), operation, value.truths, {}};
  // At some places only, it is none of the arithmetic.
  if (place.name != places().front().name) mutant.truths.clear();
  mutant.spoil = [&value, place](const harness::Problem& call, harness::Outputs& outputs) {
    const oracle::PageLayout& layout = layout_of(call.operation);
    const Arithmetic right(call);
    Table table{};
    for (unsigned i = 0; i < table.size(); ++i) {
      const auto code = static_cast<std::uint8_t>(i % 16);
      const auto scale = static_cast<std::uint8_t>(i / 16);
      table[i] = value.result({right, code, scale, right(code, scale)});
    }
    const std::uint8_t* const pool = pool_of(call).storage.data();
    const std::size_t width = element_bytes(call);
    for_each_site(call, outputs.front(), [&](const Site& s, std::uint8_t* bytes) {
      if (!place.holds(s)) return;
      const std::uint8_t* const page = pool + s.pages[static_cast<std::size_t>(s.page)].source;
      const std::uint8_t code = layout.code(page, s.token, s.element);
      const std::uint8_t scale = layout.scale(page, s.token, s.group());
      put(bytes, table[std::size_t{scale} * 16 + code], width);
    });
  };
  return mutant;
}

}  // namespace

std::vector<Mutant> value_mutants() {
  std::vector<Mutant> all;
  std::size_t next = 0;
  for (const Value& value : values()) {
    const std::string_view operation = !value.operation.empty() ? value.operation
                                       : next % 2 == 0          ? nvfp4_gather
                                                                : mxfp4_gather;
    all.push_back(value_mutant(operation, value, places().front()));
    if (next % 3 == 0) {
      all.push_back(value_mutant(operation, value, places()[1 + next % (places().size() - 1)]));
    }
    ++next;
  }
  return all;
}

}  // namespace properties
