// cvt between integers, and cvt.pack, ISA 9.7.9.21-22. A register may be wider than the type: a
// source gives its low bits, a destination is extended by the sign of its type. The register widths
// stand behind the form in the table: "cvt.u32.u8 w=h" takes a byte out of a 16-bit register.
#include <algorithm>
#include <limits>

#include "ptx/decode/form.hpp"
#include "ptx/execute/lanes.hpp"

namespace ptx::decode {
namespace {

using execute::Lanes;
using execute::Operation;
using execute::unary;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;

struct Type {
  const char* name;
  unsigned bits;
  bool is_signed;
};
constexpr Type types[] = {{"u8", 8, false},   {"s8", 8, true},    {"u16", 16, false},
                          {"s16", 16, true},  {"u32", 32, false}, {"s32", 32, true},
                          {"u64", 64, false}, {"s64", 64, true}};

struct Width {
  char letter;
  unsigned bits;
};
constexpr Width widths[] = {{'b', 8}, {'h', 16}, {'w', 32}, {'q', 64}};

u64 extended(u64 value, unsigned bits, bool is_signed) {
  const unsigned up = 64 - bits;
  return is_signed ? static_cast<u64>(static_cast<s64>(value << up) >> up) : (value << up) >> up;
}

// What a conversion does, in Operation::immediate.
struct Plan {
  unsigned source_bits, destination_bits, register_bits;
  bool source_signed, destination_signed, saturate;

  [[nodiscard]] u64 pack() const {
    return source_bits | destination_bits << 8U | register_bits << 16U |
           (source_signed ? 1ULL << 24U : 0) | (destination_signed ? 1ULL << 25U : 0) |
           (saturate ? 1ULL << 26U : 0);
  }
  static Plan unpack(u64 word) {
    return {static_cast<unsigned>(word & 0xffU),
            static_cast<unsigned>((word >> 8U) & 0xffU),
            static_cast<unsigned>((word >> 16U) & 0xffU),
            (word & (1ULL << 24U)) != 0,
            (word & (1ULL << 25U)) != 0,
            (word & (1ULL << 26U)) != 0};
  }
};

u64 clamped(u64 value, const Plan& plan) {
  const unsigned bits = plan.destination_bits;
  const u64 most = (plan.destination_signed ? ~u64{0} >> 1U : ~u64{0}) >> (64 - bits);
  const bool negative = plan.source_signed && static_cast<s64>(value) < 0;
  if (!negative) return std::min(value, most);
  if (!plan.destination_signed) return 0;
  return static_cast<u64>(std::max(static_cast<s64>(value), -static_cast<s64>(most) - 1));
}

template <class D, class S>
void converted(Lanes& lanes, const Operation& operation) {
  const Plan plan = Plan::unpack(operation.immediate);
  const S* a = lanes.at<S>(operation.in[0]);
  D* d = lanes.at<D>(operation.out);
  lanes.each([&](int lane) {
    u64 value = extended(a[lane], plan.source_bits, plan.source_signed);
    if (plan.saturate) value = clamped(value, plan);
    value = extended(value, plan.destination_bits, plan.destination_signed);
    d[lane] = static_cast<D>(extended(value, plan.register_bits, false));
  });
}

// The frequent ones, which keep or cut bits, as loops of their own.
execute::Run frequent(const Plan& plan, bool wide_in, bool wide_out) {
  if (plan.saturate || plan.source_bits < 16) return nullptr;
  const bool keeps =
      plan.destination_bits >= plan.source_bits && !plan.source_signed && !plan.destination_signed;
  const unsigned bits = std::min(plan.destination_bits, plan.source_bits);
  if (!wide_in && !wide_out) {
    if (bits == 32) return unary<u32, u32, [](u32 a) { return a; }>;
    if (bits == 16 && (keeps || (!plan.destination_signed && plan.destination_bits == 16))) {
      return unary<u32, u32, [](u32 a) { return a & 0xffffU; }>;
    }
  } else if (!wide_in && keeps) {
    if (bits == 32) return unary<u64, u32, [](u32 a) { return u64{a}; }>;
    if (bits == 16) return unary<u64, u32, [](u32 a) { return u64{a & 0xffffU}; }>;
  } else if (!wide_in && plan.source_signed && plan.source_bits == 32 &&
             plan.destination_bits == 64) {
    return unary<u64, u32, [](u32 a) {
      return static_cast<u64>(static_cast<s64>(static_cast<std::int32_t>(a)));
    }>;
  } else if (wide_in && !wide_out && bits == 32) {
    return unary<u32, u64, [](u64 a) { return static_cast<u32>(a); }>;
  }
  return nullptr;
}

std::string_view letters_of(char out, char in) {
  static constexpr char all[] = "bhwq";
  static std::string names[16];
  const auto index = [](char letter) { return std::string_view{all}.find(letter); };
  std::string& name = names[(4 * index(out)) + index(in)];
  if (name.empty()) name = {out, '=', in};
  return name;
}

void add(Table& table, const Type& to, const Type& from, const Width& out, const Width& in,
         bool saturate) {
  const Plan plan{from.bits, to.bits, out.bits, from.is_signed, to.is_signed, saturate};
  const bool wide_in = in.bits == 64;
  const bool wide_out = out.bits == 64;
  execute::Run run = frequent(plan, wide_in, wide_out);
  if (run == nullptr) {
    run = wide_out ? (wide_in ? converted<u64, u64> : converted<u64, u32>)
                   : (wide_in ? converted<u32, u64> : converted<u32, u32>);
  }
  const std::string_view letters = letters_of(out.letter, in.letter);
  table.add(std::string{"cvt."} + (saturate ? "sat." : "") + to.name + "." + from.name + " " +
                std::string{letters},
            Form{letters, run, execute::Flow::next, plan.pack()});
}

template <s64 Least, s64 Most>
u32 packed(u32 a, u32 b, u32 c) {  // b in the lowest byte, a next, c's low half above
  const auto byte = [](u32 value) {
    const s64 clamped = std::clamp<s64>(static_cast<std::int32_t>(value), Least, Most);
    return static_cast<u32>(clamped) & 0xffU;
  };
  return byte(b) | (byte(a) << 8U) | (c << 16U);
}

}  // namespace

void add_integer_conversions(Table& table) {
  for (const Type& to : types) {
    for (const Type& from : types) {
      for (const Width& out : widths) {
        for (const Width& in : widths) {
          if (out.bits < to.bits || in.bits < from.bits) continue;
          add(table, to, from, out, in, false);
          add(table, to, from, out, in, true);
        }
      }
    }
  }
  table.add("cvt.pack.sat.u8.s32.b32", "w=www",
            execute::ternary<u32, u32, u32, u32, packed<0, 255>>);
  table.add("cvt.pack.sat.s8.s32.b32", "w=www",
            execute::ternary<u32, u32, u32, u32, packed<-128, 127>>);
}

}  // namespace ptx::decode
