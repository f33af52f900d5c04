// Comparisons, ISA 9.7.7: setp, with a second predicate and a combination, and set.
#include "ptx/arithmetic/numbers.hpp"
#include "ptx/decode/form.hpp"
#include "ptx/execute/lanes.hpp"

namespace ptx::decode {
namespace {

using execute::Lanes;
using execute::Operation;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

enum class Combine : std::uint8_t { none, conjunction, disjunction, exclusive };

// p = (a ? b) combined with c, q = !(a ? b) combined with c.
template <class A, auto F, Combine C>
void setp(Lanes& lanes, const Operation& operation) {
  u32 yes = execute::compare<A, A, F>(lanes, operation);
  u32 no = ~yes;
  if (C != Combine::none) {
    const u32 with = lanes.predicate(operation.in[2]) ^ operation.flip;
    const auto combined = [&](u32 value) {
      if (C == Combine::conjunction) return value & with;
      return C == Combine::disjunction ? value | with : value ^ with;
    };
    yes = combined(yes);
    no = combined(no);
  }
  lanes.set_predicate(operation.out, yes);
  lanes.set_predicate(operation.out2, no);
}

template <class A, auto F, u32 Yes>
void set(Lanes& lanes, const Operation& operation) {
  const u32 yes = execute::compare<A, A, F>(lanes, operation);
  u32* d = lanes.at<u32>(operation.out);
  lanes.each(
      [&](int lane) { d[lane] = ((yes >> static_cast<unsigned>(lane)) & 1U) != 0 ? Yes : 0; });
}

struct Letters {
  std::string_view plain, combined, set;
};

template <class A, auto F>
void add_one(Table& table, const std::string& name, const std::string& type, const Letters& letters,
             const std::string& ftz = "") {
  const std::string setp_name = "setp." + name;
  const std::string behind = ftz + "." + type;
  table.add(setp_name + behind, letters.plain, setp<A, F, Combine::none>);
  table.add(setp_name + ".and" + behind, letters.combined, setp<A, F, Combine::conjunction>);
  table.add(setp_name + ".or" + behind, letters.combined, setp<A, F, Combine::disjunction>);
  table.add(setp_name + ".xor" + behind, letters.combined, setp<A, F, Combine::exclusive>);
  const std::string set_name = "set." + name + ftz;
  table.add(set_name + ".u32." + type, letters.set, set<A, F, 0xffff'ffffU>);
  table.add(set_name + ".s32." + type, letters.set, set<A, F, 0xffff'ffffU>);
  table.add(set_name + ".f32." + type, letters.set, set<A, F, 0x3f80'0000U>);
}

// A is the slot's type, T what its bits mean.
template <class A, class T>
void add_equal(Table& table, const std::string& type, const Letters& letters) {
  add_one<A, [](A a, A b) { return static_cast<T>(a) == static_cast<T>(b); }>(table, "eq", type,
                                                                              letters);
  add_one<A, [](A a, A b) { return static_cast<T>(a) != static_cast<T>(b); }>(table, "ne", type,
                                                                              letters);
}
template <class A, class T>
void add_order(Table& table, const std::string& type, const Letters& letters,
               const char* const (&names)[4]) {
  add_one<A, [](A a, A b) { return static_cast<T>(a) < static_cast<T>(b); }>(table, names[0], type,
                                                                             letters);
  add_one<A, [](A a, A b) { return static_cast<T>(a) <= static_cast<T>(b); }>(table, names[1], type,
                                                                              letters);
  add_one<A, [](A a, A b) { return static_cast<T>(b) < static_cast<T>(a); }>(table, names[2], type,
                                                                             letters);
  add_one<A, [](A a, A b) { return static_cast<T>(b) <= static_cast<T>(a); }>(table, names[3], type,
                                                                              letters);
}

constexpr const char* ordered[4] = {"lt", "le", "gt", "ge"};
constexpr const char* unsigned_names[4] = {"lo", "ls", "hi", "hs"};

template <class A, class Unsigned, class Signed>
void add_integers(Table& table, const std::string& bits, const Letters& letters) {
  add_equal<A, Unsigned>(table, "b" + bits, letters);
  add_equal<A, Unsigned>(table, "u" + bits, letters);
  add_equal<A, Signed>(table, "s" + bits, letters);
  add_order<A, Unsigned>(table, "u" + bits, letters, ordered);
  add_order<A, Unsigned>(table, "u" + bits, letters, unsigned_names);
  add_order<A, Signed>(table, "s" + bits, letters, ordered);
}

template <const arithmetic::Format& Format, bool Flush>
float value(u32 code) {
  if (Flush && ((code & Format.magnitude_mask()) >> Format.mantissa_bits) == 0)
    code &= Format.sign_bit();
  if constexpr (Format.mantissa_bits == 23) return arithmetic::as_float(code);
  if constexpr (Format.exponent_bits == 8) return arithmetic::as_float(code << 16U);
  return arithmetic::as_float(
      arithmetic::pack(arithmetic::f32, arithmetic::unpack(Format, code), {}));
}

template <const arithmetic::Format& Format, bool Flush>
void add_floats(Table& table, const std::string& type, const Letters& letters) {
  const auto add = [&]<auto F>(const std::string& name) {
    add_one<u32, [](u32 a, u32 b) { return F(value<Format, Flush>(a), value<Format, Flush>(b)); }>(
        table, name, type, letters, Flush ? ".ftz" : "");
  };
  add.template operator()<[](float a, float b) { return a == b; }>("eq");
  add.template operator()<[](float a, float b) { return a < b || b < a; }>("ne");
  add.template operator()<[](float a, float b) { return a < b; }>("lt");
  add.template operator()<[](float a, float b) { return a <= b; }>("le");
  add.template operator()<[](float a, float b) { return b < a; }>("gt");
  add.template operator()<[](float a, float b) { return b <= a; }>("ge");
  add.template operator()<[](float a, float b) { return !(a < b || b < a); }>("equ");
  add.template operator()<[](float a, float b) { return a != b; }>("neu");
  add.template operator()<[](float a, float b) { return !(b <= a); }>("ltu");
  add.template operator()<[](float a, float b) { return !(b < a); }>("leu");
  add.template operator()<[](float a, float b) { return !(a <= b); }>("gtu");
  add.template operator()<[](float a, float b) { return !(a < b); }>("geu");
  add.template operator()<[](float a, float b) { return a == a && b == b; }>("num");
  add.template operator()<[](float a, float b) { return a != a || b != b; }>("nan");
}

}  // namespace

void add_compare_forms(Table& table) {
  const Letters h{"p|p=hh", "p|p=hhp", "w=hh"};
  const Letters w{"p|p=ww", "p|p=wwp", "w=ww"};
  const Letters q{"p|p=qq", "p|p=qqp", "w=qq"};
  const Letters f{"p|p=ff", "p|p=ffp", "w=ff"};
  add_integers<u32, std::uint16_t, std::int16_t>(table, "16", h);
  add_integers<u32, u32, std::int32_t>(table, "32", w);
  add_integers<u64, u64, std::int64_t>(table, "64", q);
  add_floats<arithmetic::f32, false>(table, "f32", f);
  add_floats<arithmetic::f32, true>(table, "f32", f);
  add_floats<arithmetic::f16, false>(table, "f16", h);
  add_floats<arithmetic::f16, true>(table, "f16", h);
  add_floats<arithmetic::bf16, false>(table, "bf16", h);
}

}  // namespace ptx::decode
