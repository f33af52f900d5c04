#include <fmt/format.h>

#include <cstring>

#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/pages/product.hpp"
#include "properties/faults/mutant.hpp"

namespace properties {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::uint8_t product(std::uint8_t code, std::uint8_t scale) {
  return static_cast<std::uint8_t>(oracle::decode_element(
      oracle::e4m3::spec, code, scale, oracle::Dtype::e4m3, oracle::profiles::ocp()));
}

// One lane of qmul4: lane `i % 4` of word `i / 4`.
struct Lanes {
  const Bytes& a;
  const Bytes& b;
  const Bytes& fill;
  std::size_t lanes;
  std::uint8_t code(std::size_t i) const {
    return static_cast<std::uint8_t>(a[i / 2] >> (i % 2 * 4) & 0xf);
  }
  std::uint8_t scale(std::size_t i) const { return b[i]; }
};

struct LaneFault {
  std::string_view name;
  std::vector<std::string_view> truths;
  // The byte of lane `i`, given the right one.
  std::uint8_t (*result)(const Lanes&, std::size_t i, std::uint8_t right);
};

constexpr std::string_view code_elsewhere = "code_from_elsewhere";
constexpr std::string_view scale_elsewhere = "scale_from_elsewhere";
constexpr std::string_view stored_elsewhere = "stored_elsewhere";

using L = const Lanes&;
using I = std::size_t;
using B = std::uint8_t;

const std::vector<LaneFault>& lane_faults() {
  static const std::vector<LaneFault> all{
      {"lanes_rotate",
       {stored_elsewhere},
       [](L l, I i, B) { return product(l.code(i ^ 3), l.scale(i ^ 3)); }},
      {"odd_lanes_have_the_code_before",
       {code_elsewhere},
       [](L l, I i, B) { return product(l.code(i & ~I{1}), l.scale(i)); }},
      {"lane_3_has_the_scale_of_lane_2",
       {scale_elsewhere},
       [](L l, I i, B) { return product(l.code(i), l.scale(i % 4 == 3 ? i - 1 : i)); }},
      {"scales_of_the_word_before",
       {scale_elsewhere},
       [](L l, I i, B) { return product(l.code(i), l.scale(i >= 4 ? i - 4 : i)); }},
      {"codes_of_the_word_pair_swapped",
       {code_elsewhere},
       [](L l, I i, B) {
         const I other = i ^ 4;
         return product(l.code(other < l.lanes ? other : i), l.scale(i));
       }},
      {"scales_swapped_in_halves",
       {scale_elsewhere},
       [](L l, I i, B) { return product(l.code(i), l.scale(i ^ 2)); }},
      {"words_stored_in_swapped_pairs",
       {stored_elsewhere},
       [](L l, I i, B) {
         const I other = (i ^ 4) < l.lanes ? i ^ 4 : i;
         return product(l.code(other), l.scale(other));
       }},
      {"last_words_of_8_left",
       {"stale_bytes", "unwritten_tail", "not_written"},
       [](L l, I i, B right) { return i / 4 >= l.lanes / 4 / 8 * 8 ? l.fill[i] : right; }},
      {"odd_words_left",
       {"stale_bytes", "not_written"},
       [](L l, I i, B right) { return i / 4 % 2 == 1 ? l.fill[i] : right; }},
      {"lane_3_zero", {"zeros_written"}, [](L, I i, B right) { return i % 4 == 3 ? B{0} : right; }},
      {"lane_2_truncates",
       {},
       [](L l, I i, B right) {
         if (i % 4 != 2 || (right & 0x7f) == 0x7f) return right;
         const auto value = oracle::multiply(oracle::decode<oracle::e2m1>(l.code(i)),
                                             oracle::decode<oracle::e4m3>(l.scale(i)));
         return static_cast<B>(oracle::encode<oracle::e4m3>(value, oracle::Round::rtz,
                                                            oracle::Overflow::satfinite,
                                                            oracle::strict)
                                   .value_or(right));
       }},
      {"odd_lanes_lose_minus_zero",
       {},
       [](L, I i, B right) { return i % 2 == 1 && right == 0x80 ? B{0} : right; }},
      {"scales_lose_bit_0",
       {"scale_values_wrong", "product_values_wrong"},
       [](L l, I i, B) { return product(l.code(i), l.scale(i) & 0xfe); }},
      {"scales_lose_bit_3",
       {"scale_values_wrong", "product_values_wrong"},
       [](L l, I i, B) { return product(l.code(i), l.scale(i) & 0xf7); }},
      {"codes_3_and_4_swapped",
       {"element_values_wrong", "product_values_wrong"},
       [](L l, I i, B right) {
         const B m = l.code(i) & 7;
         return m == 3 || m == 4 ? product(l.code(i) ^ 7, l.scale(i)) : right;
       }},
      {"results_lose_bit_0",
       {"store_values_wrong", "product_values_wrong"},
       [](L, I, B right) { return (right & 0x7f) == 0x7f ? right : static_cast<B>(right & 0xfe); }},
      {"largest_is_nan",
       {"store_values_wrong", "product_values_wrong"},
       [](L, I, B right) { return (right & 0x7f) == 0x7e ? B{0x7f} : right; }},
      {"results_of_256_are_240",
       {"store_values_wrong", "product_values_wrong"},
       [](L, I, B right) { return (right & 0x7f) == 0x78 ? static_cast<B>(right - 1) : right; }},
      {"lane_1_under_nan_is_nan_with_sign",
       {},
       [](L, I i, B right) { return i % 4 == 1 && right == 0x7f ? B{0xff} : right; }},
  };
  return all;
}

struct ValueFault {
  std::string_view name;
  std::vector<std::string_view> truths;
  // The byte of value `i`, given the right one. `x` are all values' bits.
  std::uint8_t (*result)(const std::vector<std::uint32_t>& x, std::size_t i, std::uint8_t right,
                         std::uint8_t fill);
};

std::uint8_t encoded(std::uint32_t bits, oracle::Round mode, std::uint8_t right) {
  const oracle::Exact value = oracle::decode<oracle::f32>(bits);
  if (!value.is_finite_nonzero()) return right;
  return static_cast<std::uint8_t>(
      oracle::encode<oracle::e4m3>(value, mode, oracle::Overflow::satfinite, oracle::strict)
          .value_or(right));
}
std::uint8_t nearest(std::uint32_t bits) { return encoded(bits, oracle::Round::rne, 0); }
bool finite(std::uint32_t bits) { return (bits & 0x7f800000) != 0x7f800000; }

using X = const std::vector<std::uint32_t>&;

const std::vector<ValueFault>& value_faults() {
  static const std::vector<ValueFault> all{
      {"ties_toward_zero",
       {"enc_ties_toward_zero"},
       [](X x, I i, B right, B) {
         const auto value = oracle::decode<oracle::f32>(x[i]);
         if (!value.is_finite_nonzero()) return right;
         const auto made = oracle::encode_traced(oracle::e4m3::spec, value, oracle::Round::rne,
                                                 oracle::Overflow::satfinite, oracle::strict);
         return made->step == oracle::Step::tie_up ? static_cast<B>(right - 1) : right;
       }},
      {"rounds_away",
       {"enc_rounds_away"},
       [](X x, I i, B right, B) {
         return encoded(x[i], (x[i] >> 31) != 0 ? oracle::Round::rtn : oracle::Round::rtp, right);
       }},
      {"rounds_down",
       {"enc_rounds_down"},
       [](X x, I i, B right, B) { return encoded(x[i], oracle::Round::rtn, right); }},
      {"rounds_up",
       {"enc_rounds_up"},
       [](X x, I i, B right, B) { return encoded(x[i], oracle::Round::rtp, right); }},
      {"negative_values_truncate",
       {},
       [](X x, I i, B right, B) {
         return (x[i] >> 31) != 0 ? encoded(x[i], oracle::Round::rtz, right) : right;
       }},
      {"bits_cut_to_bf16_first",
       {"double_rounding"},
       [](X x, I i, B right, B) { return finite(x[i]) ? nearest(x[i] & 0xffff0000) : right; }},
      {"bits_cut_to_11_first",
       {"double_rounding"},
       [](X x, I i, B right, B) { return finite(x[i]) ? nearest(x[i] & 0xffffe000) : right; }},
      {"clamped_at_240",
       {},
       [](X, I, B right, B) {
         return (right & 0x7f) > 0x77 && (right & 0x7f) < 0x7f
                    ? static_cast<B>((right & 0x80) | 0x77)
                    : right;
       }},
      {"small_values_have_no_sign",
       {},
       [](X, I, B right, B) { return (right & 0x78) == 0 ? static_cast<B>(right & 0x7f) : right; }},
      {"nan_is_minus_zero",
       {},
       [](X, I, B right, B) { return (right & 0x7f) == 0x7f ? B{0x80} : right; }},
      {"infinity_is_zero",
       {},
       [](X x, I i, B right, B) { return (x[i] & 0x7fffffff) == 0x7f800000 ? B{0} : right; }},
      {"signalling_nan_is_the_largest",
       {},
       [](X x, I i, B right, B) {
         return !finite(x[i]) && (x[i] & 0x7fffff) != 0 && (x[i] & 0x400000) == 0 ? B{0x7e} : right;
       }},
      {"pairs_swapped",
       {stored_elsewhere},
       [](X x, I i, B right, B) {
         const I other = i ^ 1;
         return other < x.size() && finite(x[other]) ? nearest(x[other]) : right;
       }},
      {"value_before",
       {stored_elsewhere},
       [](X x, I i, B right, B) { return i > 0 && finite(x[i - 1]) ? nearest(x[i - 1]) : right; }},
      {"last_of_16_left",
       {"stale_bytes", "unwritten_tail", "not_written"},
       [](X x, I i, B right, B fill) { return i >= x.size() / 16 * 16 ? fill : right; }},
      {"every_fourth_left",
       {"stale_bytes", "not_written"},
       [](X, I i, B right, B fill) { return i % 4 == 3 ? fill : right; }},
      {"odd_values_truncate",
       {},
       [](X x, I i, B right, B) {
         return i % 2 == 1 ? encoded(x[i], oracle::Round::rtz, right) : right;
       }},
      {"subnormals_truncate",
       {},
       [](X x, I i, B right, B) {
         return (right & 0x78) == 0 ? encoded(x[i], oracle::Round::rtz, right) : right;
       }},
  };
  return all;
}

}  // namespace

std::vector<Mutant> row_mutants() {
  std::vector<Mutant> all;
  for (const LaneFault& fault : lane_faults()) {
    Mutant mutant{fmt::format("qmul4_{}", fault.name), "qmul4", fault.truths, {}};
    mutant.spoil = [&fault](const harness::Problem& call, harness::Outputs& outputs) {
      Bytes& out = outputs.front();
      const Lanes lanes{call.find("a")->storage, call.find("b")->storage, call.find("d")->storage,
                        out.size()};
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = fault.result(lanes, i, out[i]);
    };
    all.push_back(std::move(mutant));
  }
  for (const ValueFault& fault : value_faults()) {
    Mutant mutant{fmt::format("encode_e4m3_{}", fault.name), "encode_e4m3", fault.truths, {}};
    mutant.spoil = [&fault](const harness::Problem& call, harness::Outputs& outputs) {
      Bytes& out = outputs.front();
      const Bytes& stored = call.find("x")->storage;
      std::vector<std::uint32_t> x(out.size());
      std::memcpy(x.data(), stored.data(), x.size() * 4);
      const Bytes& fill = call.find("d")->storage;
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = fault.result(x, i, out[i], fill[i]);
    };
    all.push_back(std::move(mutant));
  }
  return all;
}

}  // namespace properties
