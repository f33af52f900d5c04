// cvt between numbers with a fraction, and between those and integers, ISA 9.7.9.21. Of two sources
// the first goes to the upper half.
#include <limits>

#include "ptx/arithmetic/lookup.hpp"
#include "ptx/arithmetic/numbers.hpp"
#include "ptx/decode/form.hpp"
#include "ptx/execute/lanes.hpp"

namespace ptx::decode {
namespace {

using arithmetic::bf16;
using arithmetic::e2m1;
using arithmetic::e2m3;
using arithmetic::e3m2;
using arithmetic::e4m3;
using arithmetic::e5m2;
using arithmetic::Exact;
using arithmetic::f16;
using arithmetic::f32;
using arithmetic::Format;
using arithmetic::Packing;
using arithmetic::Round;
using execute::binary;
using execute::unary;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// One value of a format into another.
template <const Format& To, const Format& From, Packing P, bool Flush = false>
constexpr u32 one(u32 a) {
  return arithmetic::pack(To, arithmetic::take(From, a, Flush), P);
}

template <const Format& To, Packing P, int Bits>
constexpr u32 from_two_f32(u32 a, u32 b) {
  return (one<To, f32, P>(a) << Bits) | one<To, f32, P>(b);
}
template <const Format& To, const Format& From, Packing P, int ToBits, int FromBits>
constexpr u32 from_pair(u32 a) {
  constexpr u32 mask = (1U << FromBits) - 1;
  return (one<To, From, P>((a >> FromBits) & mask) << ToBits) | one<To, From, P>(a & mask);
}

template <const Format& To>
void add_to_bytes(Table& table, const std::string& name) {
  constexpr Packing plain{.saturate_finite = true};
  constexpr Packing relu{.saturate_finite = true, .relu = true};
  constexpr int bits = 8;
  table.add("cvt.rn.satfinite." + name + ".f32", "h=ff",
            binary<u32, u32, u32, from_two_f32<To, plain, bits>>);
  table.add("cvt.rn.satfinite.relu." + name + ".f32", "h=ff",
            binary<u32, u32, u32, from_two_f32<To, relu, bits>>);
  table.add("cvt.rn.satfinite." + name + ".f16x2", "h=w",
            unary<u32, u32, from_pair<To, f16, plain, bits, 16>>);
  table.add("cvt.rn.satfinite.relu." + name + ".f16x2", "h=w",
            unary<u32, u32, from_pair<To, f16, relu, bits, 16>>);
}

template <const Format& From, int Bits>
void add_from_bytes(Table& table, const std::string& name, std::string_view letters) {
  constexpr Packing relu{.relu = true};
  table.add("cvt.rn.f16x2." + name, letters,
            unary<u32, u32, from_pair<f16, From, Packing{}, 16, Bits>>);
  table.add("cvt.rn.relu.f16x2." + name, letters,
            unary<u32, u32, from_pair<f16, From, relu, 16, Bits>>);
  table.add("cvt.rn.bf16x2." + name, letters,
            unary<u32, u32, from_pair<bf16, From, Packing{}, 16, Bits>>);
}

template <const Format& To, Round R>
void add_halves(Table& table, const std::string& name, const std::string& mode) {
  constexpr Packing plain{.round = R};
  constexpr Packing relu{.round = R, .relu = true};
  table.add("cvt." + mode + "." + name + ".f32", "h=f", unary<u32, u32, one<To, f32, plain>>);
  table.add("cvt." + mode + ".relu." + name + ".f32", "h=f", unary<u32, u32, one<To, f32, relu>>);
  table.add("cvt." + mode + "." + name + "x2.f32", "w=ff",
            binary<u32, u32, u32, from_two_f32<To, plain, 16>>);
  table.add("cvt." + mode + ".relu." + name + "x2.f32", "w=ff",
            binary<u32, u32, u32, from_two_f32<To, relu, 16>>);
}

// To an integer: clamps; NaN gives 0, or the lowest value's bits where the type has 64.
template <class T, const Format& From, Round R, bool Flush>
constexpr u64 to_integer(u32 code) {
  const Exact value = arithmetic::take(From, code, Flush);
  if (value.kind == Exact::Kind::nan) return sizeof(T) == 8 ? u64{1} << 63U : 0;
  const auto most = static_cast<u64>(std::numeric_limits<T>::max());
  const u64 limit = !value.negative ? most : std::is_signed_v<T> ? most + 1 : 0;
  u64 magnitude = limit;
  if (value.kind == Exact::Kind::number) {
    const bool large =
        value.significand != 0 && arithmetic::top_bit(value.significand) + value.exponent > 64;
    if (!large) {
      arithmetic::Wide whole = value.significand;
      if (value.exponent >= 0) {
        whole <<= static_cast<unsigned>(value.exponent);
      } else {
        whole = arithmetic::round_to_integer(whole, value.exponent, value.negative, R);
      }
      magnitude = whole > limit ? limit : static_cast<u64>(whole);
    }
  }
  return value.negative ? 0 - magnitude : magnitude;
}

template <class T, const Format& From>
void add_to_integer(Table& table, const std::string& to, const std::string& from, char in) {
  static const std::string letters[] = {{'h', '=', in}, {'w', '=', in}, {'q', '=', in}};
  const auto add = [&]<Round R, bool Flush>(const std::string& mode) {
    const std::string form = "cvt." + mode + "." + to + "." + from;
    if constexpr (sizeof(T) <= 2) {
      table.add(form + " " + letters[0], letters[0], unary<u32, u32, [](u32 a) {
                  return static_cast<u32>(to_integer<T, From, R, Flush>(a)) & 0xffffU;
                }>);
    }
    if constexpr (sizeof(T) <= 4) {
      table.add(form + " " + letters[1], letters[1], unary<u32, u32, [](u32 a) {
                  return static_cast<u32>(to_integer<T, From, R, Flush>(a));
                }>);
    }
    table.add(form + " " + letters[2], letters[2], unary<u64, u32, to_integer<T, From, R, Flush>>);
  };
  const auto all = [&]<Round R>(const std::string& mode) {
    add.template operator()<R, false>(mode);
    if constexpr (From.mantissa_bits == 23) {
      add.template operator()<R, true>(mode + ".ftz");
      add.template operator()<R, true>("ftz." + mode);
    }
  };
  all.template operator()<Round::nearest_even>("rni");
  all.template operator()<Round::zero>("rzi");
  all.template operator()<Round::down>("rmi");
  all.template operator()<Round::up>("rpi");
}

template <class T, const Format& To, Round R>
constexpr u32 from_integer(u64 bits) {
  const T value = static_cast<T>(bits);
  Exact exact;
  if constexpr (std::is_signed_v<T>) exact.negative = value < 0;
  exact.significand = bits;
  if (exact.negative) exact.significand = 0 - static_cast<u64>(static_cast<std::int64_t>(value));
  if constexpr (sizeof(T) < 8) {
    if (!exact.negative) exact.significand = static_cast<arithmetic::Wide>(value);
  }
  return arithmetic::pack(To, exact, {.round = R});
}

template <class T, const Format& To>
void add_from_integer(Table& table, const std::string& to, const std::string& from) {
  static constexpr std::string_view letters[2][4] = {{"h=h", "h=h", "h=w", "h=q"},
                                                     {"w=h", "w=h", "w=w", "w=q"}};
  constexpr int width = sizeof(T) == 8 ? 3 : sizeof(T) == 4 ? 2 : 1;
  using Slot = std::conditional_t<sizeof(T) == 8, u64, u32>;
  const std::string_view operands = letters[To.mantissa_bits == 23 ? 1 : 0][width];
  const auto add = [&]<Round R>(const std::string& mode) {
    table.add("cvt." + mode + "." + to + "." + from, operands,
              unary<u32, Slot, [](Slot a) { return from_integer<T, To, R>(a); }>);
  };
  add.template operator()<Round::nearest_even>("rn");
  add.template operator()<Round::zero>("rz");
  add.template operator()<Round::down>("rm");
  add.template operator()<Round::up>("rp");
}

template <class T>
void add_integer(Table& table, const std::string& name) {
  add_to_integer<T, f32>(table, name, "f32", 'f');
  add_to_integer<T, f16>(table, name, "f16", 'h');
  add_to_integer<T, bf16>(table, name, "bf16", 'h');
  add_from_integer<T, f32>(table, "f32", name);
  add_from_integer<T, f16>(table, "f16", name);
  add_from_integer<T, bf16>(table, "bf16", name);
}

// f32 to an integer that is an f32.
template <Round R, bool Flush>
constexpr u32 integral(u32 code) {
  Exact value = arithmetic::take(f32, code, Flush);
  if (value.kind == Exact::Kind::number && value.exponent < 0) {
    value.significand =
        arithmetic::round_to_integer(value.significand, value.exponent, value.negative, R);
    value.exponent = 0;
  }
  return arithmetic::pack(f32, value, {});
}
template <Round R>
void add_integral(Table& table, const std::string& mode) {
  table.add("cvt." + mode + ".f32.f32", "w=f", unary<u32, u32, integral<R, false>>);
  table.add("cvt." + mode + ".ftz.f32.f32", "w=f", unary<u32, u32, integral<R, true>>);
}

}  // namespace

void add_float_conversions(Table& table) {
  add_to_bytes<e5m2>(table, "e5m2x2");
  constexpr Packing relu{.saturate_finite = true, .relu = true};
  table.add("cvt.rn.satfinite.e4m3x2.f32", "h=ff", binary<u32, u32, u32, [](u32 a, u32 b) {
              return (arithmetic::e4m3_of_f32(a) << 8U) | arithmetic::e4m3_of_f32(b);
            }>);
  table.add("cvt.rn.satfinite.relu.e4m3x2.f32", "h=ff",
            binary<u32, u32, u32, from_two_f32<e4m3, relu, 8>>);
  table.add("cvt.rn.satfinite.e4m3x2.f16x2", "h=w", unary<u32, u32, [](u32 a) {
              return arithmetic::e4m3_of_f16(a & 0xffffU) |
                     (arithmetic::e4m3_of_f16(a >> 16U) << 8U);
            }>);
  table.add("cvt.rn.satfinite.relu.e4m3x2.f16x2", "h=w",
            unary<u32, u32, from_pair<e4m3, f16, relu, 8, 16>>);
  table.add("cvt.rn.f16x2.e4m3x2", "w=h", unary<u32, u32, [](u32 a) {
              return arithmetic::f16_of_e4m3(a & 0xffU) |
                     (arithmetic::f16_of_e4m3((a >> 8U) & 0xffU) << 16U);
            }>);
  table.add("cvt.rn.relu.f16x2.e4m3x2", "w=h",
            unary<u32, u32, from_pair<f16, e4m3, Packing{.relu = true}, 16, 8>>);
  table.add("cvt.rn.bf16x2.e4m3x2", "w=h",
            unary<u32, u32, from_pair<bf16, e4m3, Packing{}, 16, 8>>);
  add_from_bytes<e5m2, 8>(table, "e5m2x2", "w=h");
  add_from_bytes<e2m3, 8>(table, "e2m3x2", "w=h");
  add_from_bytes<e3m2, 8>(table, "e3m2x2", "w=h");
  add_from_bytes<e2m1, 4>(table, "e2m1x2", "w=b");
  add_halves<f16, Round::nearest_even>(table, "f16", "rn");
  add_halves<f16, Round::zero>(table, "f16", "rz");
  add_halves<bf16, Round::nearest_even>(table, "bf16", "rn");
  add_halves<bf16, Round::zero>(table, "bf16", "rz");
  table.add("cvt.f32.f16", "w=h", unary<u32, u32, arithmetic::f32_of_f16>);
  table.add("cvt.f32.bf16", "w=h", unary<u32, u32, [](u32 a) { return a << 16U; }>);
  for (const char* form : {"cvt.rn.bf16.f16", "cvt.bf16.f16"}) {
    table.add(form, "h=h", unary<u32, u32, one<bf16, f16, Packing{}>>);
  }
  table.add("cvt.rn.f16.bf16", "h=h", unary<u32, u32, one<f16, bf16, Packing{}>>);
  table.add("cvt.f32.f32", "w=f", unary<u32, u32, one<f32, f32, Packing{}>>);
  table.add("cvt.ftz.f32.f32", "w=f", unary<u32, u32, one<f32, f32, Packing{}, true>>);
  table.add("cvt.sat.f32.f32", "w=f", unary<u32, u32, one<f32, f32, Packing{.unit = true}>>);
  table.add("cvt.ftz.sat.f32.f32", "w=f",
            unary<u32, u32, one<f32, f32, Packing{.unit = true}, true>>);
  add_integral<Round::nearest_even>(table, "rni");
  add_integral<Round::zero>(table, "rzi");
  add_integral<Round::down>(table, "rmi");
  add_integral<Round::up>(table, "rpi");
  add_integer<std::uint8_t>(table, "u8");
  add_integer<std::int8_t>(table, "s8");
  add_integer<std::uint16_t>(table, "u16");
  add_integer<std::int16_t>(table, "s16");
  add_integer<std::uint32_t>(table, "u32");
  add_integer<std::int32_t>(table, "s32");
  add_integer<std::uint64_t>(table, "u64");
  add_integer<std::int64_t>(table, "s64");
}

}  // namespace ptx::decode
