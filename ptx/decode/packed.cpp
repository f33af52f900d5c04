// Packed arithmetic on four lanes, ISA 9.4 section 9.7.6: add, sub, mul and fma into e4m3x4 or
// e5m2x4. Each lane is computed exactly and rounded once to nearest even. What the ISA leaves open
// and nobody has measured: a NaN is 7f, high bits of a lane are ignored, and without .satfinite
// e4m3 overflows to NaN and e5m2 to infinity.
#include <array>

#include "ptx/arithmetic/operations.hpp"
#include "ptx/decode/form.hpp"
#include "ptx/execute/lanes.hpp"

namespace ptx::decode {
namespace {

using arithmetic::Exact;
using arithmetic::Format;
using execute::Lanes;
using execute::Operation;
using u32 = std::uint32_t;

enum class Kind : std::uint8_t { e2m1, e2m1p, e2m3, e3m2, e4m3, e5m2, ue8m0 };
struct Type {
  const char* name;
  Kind kind;
  char letter;
};
constexpr Type types[] = {{"e2m1x4", Kind::e2m1, 'h'},  {"e2m1p4x4", Kind::e2m1p, 'w'},
                          {"e2m3x4", Kind::e2m3, 'w'},  {"e3m2x4", Kind::e3m2, 'w'},
                          {"e4m3x4", Kind::e4m3, 'w'},  {"e5m2x4", Kind::e5m2, 'w'},
                          {"ue8m0x4", Kind::ue8m0, 'w'}};

constexpr Exact value_of(Kind kind, u32 code) {
  switch (kind) {
    case Kind::e2m1:
    case Kind::e2m1p:
      return arithmetic::unpack(arithmetic::e2m1, code & 0xfU);
    case Kind::e2m3:
      return arithmetic::unpack(arithmetic::e2m3, code & 0x3fU);
    case Kind::e3m2:
      return arithmetic::unpack(arithmetic::e3m2, code & 0x3fU);
    case Kind::e4m3:
      return arithmetic::unpack(arithmetic::e4m3, code);
    case Kind::e5m2:
      return arithmetic::unpack(arithmetic::e5m2, code);
    case Kind::ue8m0:
      break;
  }
  return arithmetic::unpack_ue8m0(code);
}

enum class Op : std::uint8_t { add, sub, mul, fma };

// What an instruction does, in Operation::immediate.
struct Plan {
  Op op;
  Kind result, a, b;
  bool saturate;

  [[nodiscard]] std::uint64_t pack() const {
    return static_cast<u32>(op) | static_cast<u32>(result) << 4U | static_cast<u32>(a) << 8U |
           static_cast<u32>(b) << 12U | (saturate ? 1U << 16U : 0U);
  }
  static Plan unpack(std::uint64_t word) {
    return {static_cast<Op>(word & 0xfU), static_cast<Kind>((word >> 4U) & 0xfU),
            static_cast<Kind>((word >> 8U) & 0xfU), static_cast<Kind>((word >> 12U) & 0xfU),
            (word & (1U << 16U)) != 0};
  }
};

u32 lane_of(Kind kind, u32 word, u32 i) {
  return kind == Kind::e2m1 ? (word >> (4 * i)) & 0xfU : (word >> (8 * i)) & 0xffU;
}

u32 computed(const Plan& plan, u32 a, u32 b, u32 c) {
  const Format& format = plan.result == Kind::e4m3 ? arithmetic::e4m3 : arithmetic::e5m2;
  const Exact x = value_of(plan.a, a);
  const Exact y = value_of(plan.b, b);
  constexpr auto nearest = arithmetic::Round::nearest_even;
  Exact result;
  switch (plan.op) {
    case Op::add:
      result = arithmetic::sum(x, y, nearest);
      break;
    case Op::sub:
      result = arithmetic::sum(x, arithmetic::negated(y), nearest);
      break;
    case Op::mul:
      result = arithmetic::product(x, y);
      break;
    case Op::fma:
      result = arithmetic::sum(arithmetic::product(x, y), value_of(plan.result, c), nearest);
      break;
  }
  return arithmetic::pack(format, result, {.saturate_finite = plan.saturate});
}

void packed(Lanes& lanes, const Operation& operation) {
  const Plan plan = Plan::unpack(operation.immediate);
  const u32* a = lanes.at<u32>(operation.in[0]);
  const u32* b = lanes.at<u32>(operation.in[1]);
  const u32* c = lanes.at<u32>(plan.op == Op::fma ? operation.in[2] : execute::slot_zero);
  u32* d = lanes.at<u32>(operation.out);
  lanes.each([&](int lane) {
    u32 word = 0;
    for (u32 i = 0; i < 4; ++i) {
      word |= computed(plan, lane_of(plan.a, a[lane], i), lane_of(plan.b, b[lane], i),
                       lane_of(plan.result, c[lane], i))
              << (8 * i);
    }
    d[lane] = word;
  });
}

// The products of page formats: all pairs of a code and a scale, once.
template <Kind Scale>
void scaled(Lanes& lanes, const Operation& operation) {
  static constexpr std::array<std::uint8_t, 4096> products = [] {
    std::array<std::uint8_t, 4096> table{};
    for (u32 index = 0; index < 4096; ++index) {
      const Exact exact =
          arithmetic::product(value_of(Kind::e2m1, index >> 8U), value_of(Scale, index & 0xffU));
      table[index] = static_cast<std::uint8_t>(
          arithmetic::pack(arithmetic::e4m3, exact, {.saturate_finite = true}));
    }
    return table;
  }();
  const u32* a = lanes.at<u32>(operation.in[0]);
  const u32* b = lanes.at<u32>(operation.in[1]);
  u32* d = lanes.at<u32>(operation.out);
  lanes.each([&](int lane) {
    u32 word = 0;
    for (u32 i = 0; i < 4; ++i) {
      const u32 index = (((a[lane] >> (4 * i)) & 0xfU) << 8U) | ((b[lane] >> (8 * i)) & 0xffU);
      word |= static_cast<u32>(products[index]) << (8 * i);
    }
    d[lane] = word;
  });
}

void add(Table& table, const std::string& name, const Plan& plan, const std::string& spelled,
         std::string_view operands) {
  execute::Run run = packed;
  if (plan.op == Op::mul && plan.result == Kind::e4m3 && plan.a == Kind::e2m1 && plan.saturate) {
    if (plan.b == Kind::e4m3) run = scaled<Kind::e4m3>;
    if (plan.b == Kind::ue8m0) run = scaled<Kind::ue8m0>;
  }
  const Form form{operands, run, execute::Flow::next, plan.pack()};
  // .rn may be left out, and .satfinite may stand behind the types.
  for (const std::string mode : {"", ".rn"}) {
    if (!plan.saturate) {
      table.add(name + mode + spelled, form);
    } else {
      table.add(name + mode + ".satfinite" + spelled, form);
      table.add(name + mode + spelled + ".satfinite", form);
    }
  }
}

}  // namespace

void add_packed_forms(Table& table) {
  for (const Type& result : {types[4], types[5]}) {
    for (const Type& a : types) {
      for (const bool saturate : {false, true}) {
        for (const Type& b : types) {
          const bool h1 = a.letter == 'h';
          const bool h2 = b.letter == 'h';
          const std::string spelled = std::string{"."} + result.name + "." + a.name + "." + b.name;
          add(table, "mul", {Op::mul, result.kind, a.kind, b.kind, saturate}, spelled,
              h1 ? (h2 ? "w=hh" : "w=hw") : (h2 ? "w=wh" : "w=ww"));
          add(table, "fma", {Op::fma, result.kind, a.kind, b.kind, saturate}, spelled,
              h1 ? (h2 ? "w=hhw" : "w=hww") : (h2 ? "w=whw" : "w=www"));
        }
        // Sums: the second operand has the type of the result, as the third of fma has.
        const std::string spelled = std::string{"."} + result.name + "." + a.name;
        const std::string_view operands = a.letter == 'h' ? "w=hw" : "w=ww";
        add(table, "add", {Op::add, result.kind, a.kind, result.kind, saturate}, spelled, operands);
        add(table, "sub", {Op::sub, result.kind, a.kind, result.kind, saturate}, spelled, operands);
      }
    }
  }
}

}  // namespace ptx::decode
