// f16 and bf16 arithmetic, one value or two, ISA 9.7.4. One rounding, by exact values: what goes
// through f32 or double rounds twice in fma.
#include "ptx/arithmetic/lookup.hpp"
#include "ptx/arithmetic/numbers.hpp"
#include "ptx/decode/form.hpp"
#include "ptx/execute/lanes.hpp"

namespace ptx::decode {
namespace {

using arithmetic::bf16;
using arithmetic::Extreme;
using arithmetic::f16;
using arithmetic::Format;
using arithmetic::Op;
using arithmetic::Packing;
using execute::binary;
using execute::ternary;
using execute::unary;
using u32 = std::uint32_t;

// The same on both halves of a register.
template <auto F>
u32 both1(u32 a) {
  return F(a & 0xffffU) | (F(a >> 16U) << 16U);
}
template <auto F>
u32 both2(u32 a, u32 b) {
  return F(a & 0xffffU, b & 0xffffU) | (F(a >> 16U, b >> 16U) << 16U);
}
template <auto F>
u32 both3(u32 a, u32 b, u32 c) {
  return F(a & 0xffffU, b & 0xffffU, c & 0xffffU) | (F(a >> 16U, b >> 16U, c >> 16U) << 16U);
}

template <const Format& F, Op O, Packing P>
u32 two_of(u32 a, u32 b) {
  // f32 has more than twice the bits of f16 and two, so that rounding through it is rounding once.
  if constexpr (F.mantissa_bits == 10 && !P.flush && !P.unit && !P.relu) {
    const float x = arithmetic::as_float(arithmetic::f32_of_f16(a));
    const float y = arithmetic::as_float(arithmetic::f32_of_f16(b));
    const float result = O == Op::add ? x + y : O == Op::sub ? x - y : x * y;
    return arithmetic::f16_of_f32(std::bit_cast<u32>(result));
  }
  return arithmetic::two<O, P>(F, a, b);
}
template <const Format& F, Packing P>
u32 fused_of(u32 a, u32 b, u32 c) {
  return arithmetic::fused<P>(F, a, b, c);
}
template <const Format& F, Extreme E, bool NanWins, bool Flush>
u32 extreme_of(u32 a, u32 b) {
  return arithmetic::extreme<E, NanWins, Flush>(F, a, b);
}
template <const Format& F, bool Absolute, bool Flush>
u32 sign_of(u32 a) {
  return arithmetic::sign_changed(F, a, Absolute, Flush);
}

struct Maker {
  Table& table;
  std::string type;

  template <auto F>
  void add1(const std::string& name) const {
    table.add(name + "." + type, "h=h", unary<u32, u32, F>);
    table.add(name + "." + type + "x2", "w=w", unary<u32, u32, both1<F>>);
  }
  template <auto F>
  void add2(const std::string& name) const {
    table.add(name + "." + type, "h=hh", binary<u32, u32, u32, F>);
    table.add(name + "." + type + "x2", "w=ww", binary<u32, u32, u32, both2<F>>);
  }
  template <auto F>
  void add3(const std::string& name) const {
    table.add(name + "." + type, "h=hhh", ternary<u32, u32, u32, u32, F>);
    table.add(name + "." + type + "x2", "w=www", ternary<u32, u32, u32, u32, both3<F>>);
  }
};

template <const Format& F, Packing P>
void add_sums(const Maker& maker, const std::string& suffix) {
  maker.template add2<two_of<F, Op::add, P>>("add" + suffix);
  maker.template add2<two_of<F, Op::sub, P>>("sub" + suffix);
  maker.template add2<two_of<F, Op::mul, P>>("mul" + suffix);
}

template <const Format& F, Extreme E>
void add_extremes(const Maker& maker, const std::string& name, bool flushes) {
  maker.template add2<extreme_of<F, E, false, false>>(name);
  maker.template add2<extreme_of<F, E, true, false>>(name + ".NaN");
  if (!flushes) return;
  maker.template add2<extreme_of<F, E, false, true>>(name + ".ftz");
  maker.template add2<extreme_of<F, E, true, true>>(name + ".ftz.NaN");
}

template <const Format& F>
void add_common(const Maker& maker, bool flushes) {
  for (const std::string mode : {"", ".rn"}) add_sums<F, Packing{}>(maker, mode);
  maker.template add3<fused_of<F, Packing{}>>("fma.rn");
  maker.template add3<fused_of<F, Packing{.relu = true}>>("fma.rn.relu");
  add_extremes<F, Extreme::least>(maker, "min", flushes);
  add_extremes<F, Extreme::greatest>(maker, "max", flushes);
  maker.template add1<sign_of<F, false, false>>("neg");
  maker.template add1<sign_of<F, true, false>>("abs");
}

}  // namespace

void add_half_forms(Table& table) {
  const Maker half{table, "f16"};
  add_common<f16>(half, true);
  for (const std::string mode : {"", ".rn"}) {
    add_sums<f16, Packing{.flush = true}>(half, mode + ".ftz");
    add_sums<f16, Packing{.unit = true}>(half, mode + ".sat");
    add_sums<f16, Packing{.flush = true, .unit = true}>(half, mode + ".ftz.sat");
  }
  half.add3<fused_of<f16, Packing{.flush = true}>>("fma.rn.ftz");
  half.add3<fused_of<f16, Packing{.unit = true}>>("fma.rn.sat");
  half.add3<fused_of<f16, Packing{.flush = true, .unit = true}>>("fma.rn.ftz.sat");
  half.add3<fused_of<f16, Packing{.flush = true, .relu = true}>>("fma.rn.ftz.relu");
  half.add1<sign_of<f16, false, true>>("neg.ftz");
  half.add1<sign_of<f16, true, true>>("abs.ftz");
  add_common<bf16>(Maker{table, "bf16"}, false);
}

}  // namespace ptx::decode
