// f32 arithmetic, ISA 9.7.3. To nearest even by the host's f32, otherwise by exact values. The
// `.approx` instructions are not here: the ISA bounds their error and says no bits.
#include <cmath>

#include "ptx/arithmetic/numbers.hpp"
#include "ptx/decode/form.hpp"
#include "ptx/execute/lanes.hpp"

namespace ptx::decode {
namespace {

using arithmetic::Exact;
using arithmetic::Extreme;
using arithmetic::f32;
using arithmetic::Op;
using arithmetic::Packing;
using arithmetic::Round;
using execute::binary;
using execute::ternary;
using execute::unary;
using u32 = std::uint32_t;

template <Op O, Packing P>
u32 two32(u32 a, u32 b) {
  return arithmetic::two<O, P>(f32, a, b);
}
template <Packing P>
u32 fused32(u32 a, u32 b, u32 c) {
  return arithmetic::fused<P>(f32, a, b, c);
}
u32 fused_nearest(u32 a, u32 b, u32 c) {
  return arithmetic::canonical(
      std::fma(arithmetic::as_float(a), arithmetic::as_float(b), arithmetic::as_float(c)));
}
u32 divided_nearest(u32 a, u32 b) {
  return arithmetic::canonical(arithmetic::as_float(a) / arithmetic::as_float(b));
}

template <Round R>
void add_mode(Table& table, const std::string& mode) {
  static constexpr Packing plain{.round = R};
  static constexpr Packing ftz{.round = R, .flush = true};
  static constexpr Packing sat{.round = R, .unit = true};
  static constexpr Packing both{.round = R, .flush = true, .unit = true};
  const auto add = [&](const std::string& suffix, auto packing) {
    constexpr Packing P = decltype(packing)::value;
    table.add("add" + mode + suffix, "w=ff", binary<u32, u32, u32, two32<Op::add, P>>);
    table.add("sub" + mode + suffix, "w=ff", binary<u32, u32, u32, two32<Op::sub, P>>);
    table.add("mul" + mode + suffix, "w=ff", binary<u32, u32, u32, two32<Op::mul, P>>);
    if (!mode.empty()) {
      table.add("fma" + mode + suffix, "w=fff", ternary<u32, u32, u32, u32, fused32<P>>);
      table.add("mad" + mode + suffix, "w=fff", ternary<u32, u32, u32, u32, fused32<P>>);
    }
  };
  if constexpr (R != Round::nearest_even) {
    add(".f32", std::integral_constant<Packing, plain>{});
  }
  add(".ftz.f32", std::integral_constant<Packing, ftz>{});
  add(".sat.f32", std::integral_constant<Packing, sat>{});
  add(".ftz.sat.f32", std::integral_constant<Packing, both>{});
  if (!mode.empty()) {
    if constexpr (R != Round::nearest_even) {
      table.add("div" + mode + ".f32", "w=ff", binary<u32, u32, u32, two32<Op::div, plain>>);
      table.add("rcp" + mode + ".f32", "w=f", unary<u32, u32, [](u32 a) {
                  return arithmetic::two<Op::div, plain>(f32, 0x3f80'0000, a);
                }>);
      table.add("sqrt" + mode + ".f32", "w=f", unary<u32, u32, [](u32 a) {
                  return arithmetic::pack(f32, arithmetic::square_root(arithmetic::unpack(f32, a)),
                                          plain);
                }>);
    }
    table.add("div" + mode + ".ftz.f32", "w=ff", binary<u32, u32, u32, two32<Op::div, ftz>>);
    table.add(
        "rcp" + mode + ".ftz.f32", "w=f",
        unary<u32, u32, [](u32 a) { return arithmetic::two<Op::div, ftz>(f32, 0x3f80'0000, a); }>);
    table.add("sqrt" + mode + ".ftz.f32", "w=f", unary<u32, u32, [](u32 a) {
                return arithmetic::pack(
                    f32, arithmetic::square_root(arithmetic::without_subnormal(f32, a)), ftz);
              }>);
  }
}

void add_nearest(Table& table, const std::string& mode) {
  table.add("add" + mode + ".f32", "w=ff", binary<u32, u32, u32, arithmetic::add_f32>);
  table.add("sub" + mode + ".f32", "w=ff", binary<u32, u32, u32, arithmetic::sub_f32>);
  table.add("mul" + mode + ".f32", "w=ff", binary<u32, u32, u32, arithmetic::mul_f32>);
}

template <Extreme E>
void add_extreme(Table& table, const std::string& name) {
  table.add(
      name + ".f32", "w=ff",
      binary<u32, u32, u32, [](u32 a, u32 b) { return arithmetic::extreme_f32<E, false>(a, b); }>);
  table.add(
      name + ".NaN.f32", "w=ff",
      binary<u32, u32, u32, [](u32 a, u32 b) { return arithmetic::extreme_f32<E, true>(a, b); }>);
  table.add(name + ".ftz.f32", "w=ff", binary<u32, u32, u32, [](u32 a, u32 b) {
              return arithmetic::extreme<E, false, true>(f32, a, b);
            }>);
  table.add(name + ".ftz.NaN.f32", "w=ff", binary<u32, u32, u32, [](u32 a, u32 b) {
              return arithmetic::extreme<E, true, true>(f32, a, b);
            }>);
  // Of the magnitudes, with the product of the signs; a NaN stays canonical.
  table.add(name + ".xorsign.abs.f32", "w=ff", binary<u32, u32, u32, [](u32 a, u32 b) {
              const u32 least =
                  arithmetic::extreme<E, false, false>(f32, a & 0x7fff'ffffU, b & 0x7fff'ffffU);
              return least == f32.nan ? least : least | ((a ^ b) & 0x8000'0000U);
            }>);
}

template <bool Absolute, bool Flush>
u32 signs(u32 a) {
  return arithmetic::sign_changed(f32, a, Absolute, Flush);
}

}  // namespace

void add_f32_forms(Table& table) {
  add_nearest(table, "");
  add_nearest(table, ".rn");
  table.add("fma.rn.f32", "w=fff", ternary<u32, u32, u32, u32, fused_nearest>);
  table.add("mad.rn.f32", "w=fff", ternary<u32, u32, u32, u32, fused_nearest>);
  table.add("div.rn.f32", "w=ff", binary<u32, u32, u32, divided_nearest>);
  table.add("rcp.rn.f32", "w=f",
            unary<u32, u32, [](u32 a) { return divided_nearest(0x3f80'0000, a); }>);
  table.add("sqrt.rn.f32", "w=f", unary<u32, u32, [](u32 a) {
              return arithmetic::canonical(std::sqrt(arithmetic::as_float(a)));
            }>);
  add_mode<Round::nearest_even>(table, "");
  add_mode<Round::nearest_even>(table, ".rn");
  add_mode<Round::zero>(table, ".rz");
  add_mode<Round::down>(table, ".rm");
  add_mode<Round::up>(table, ".rp");
  add_extreme<Extreme::least>(table, "min");
  add_extreme<Extreme::greatest>(table, "max");
  table.add("neg.f32", "w=f", unary<u32, u32, signs<false, false>>);
  table.add("neg.ftz.f32", "w=f", unary<u32, u32, signs<false, true>>);
  table.add("abs.f32", "w=f", unary<u32, u32, signs<true, false>>);
  table.add("abs.ftz.f32", "w=f", unary<u32, u32, signs<true, true>>);
  table.add(
      "copysign.f32", "w=ff",
      binary<u32, u32, u32, [](u32 a, u32 b) { return (b & 0x7fff'ffffU) | (a & 0x8000'0000U); }>);
}

}  // namespace ptx::decode
