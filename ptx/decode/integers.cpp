// Integer arithmetic, ISA 9.7.1. Division by zero, which the ISA leaves undefined, gives what an
// H200 gives.
#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

#include "ptx/decode/form.hpp"
#include "ptx/execute/lanes.hpp"

namespace ptx::decode {
namespace {

using execute::binary;
using execute::Lanes;
using execute::Operation;
using execute::ternary;
using execute::unary;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

// The slot of a type, its unsigned twin, and the type of twice its width.
template <class T>
struct Traits {
  using Unsigned = std::make_unsigned_t<T>;
  using Slot = std::conditional_t<sizeof(T) == 8, u64, u32>;
  using Double = std::conditional_t<
      std::is_signed_v<T>,
      std::conditional_t<sizeof(T) == 2, s32, std::conditional_t<sizeof(T) == 4, s64, s128>>,
      std::conditional_t<sizeof(T) == 2, u32, std::conditional_t<sizeof(T) == 4, u64, u128>>>;
};
template <class T>
using Slot = typename Traits<T>::Slot;
template <class T>
using Unsigned = typename Traits<T>::Unsigned;
template <class T>
using Double = typename Traits<T>::Double;
template <class T>
using DoubleSlot = std::conditional_t<sizeof(T) == 4, u64, u32>;

template <class T>
Slot<T> stored(T value) {
  return static_cast<Unsigned<T>>(value);
}
template <class T>
constexpr T high(T a, T b) {
  return static_cast<T>((static_cast<Double<T>>(a) * b) >> (8 * sizeof(T)));
}
template <class T>
Unsigned<T> low(T a, T b) {
  return static_cast<Unsigned<T>>(static_cast<u64>(static_cast<Unsigned<T>>(a)) *
                                  static_cast<Unsigned<T>>(b));
}
template <class T>
auto whole(T a, T b) {
  return static_cast<std::make_unsigned_t<std::conditional_t<sizeof(T) == 8, s64, Double<T>>>>(
      static_cast<Double<T>>(a) * b);
}

template <class T>
constexpr T divided(T a, T b) {
  if (b == 0) return static_cast<T>(~Unsigned<T>{0});
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return static_cast<T>(0 - static_cast<Unsigned<T>>(a));
  }
  return static_cast<T>(a / b);
}
// With a divisor of 0 the remainder follows from that quotient only up to sign; an H200 gives all
// ones.
template <class T>
constexpr T remainder(T a, T b) {
  if (b == 0) return static_cast<T>(~Unsigned<T>{0});
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}

s32 saturated(s64 value) {
  return static_cast<s32>(
      std::clamp<s64>(value, std::numeric_limits<s32>::min(), std::numeric_limits<s32>::max()));
}

template <class T>
struct Letters;
template <>
struct Letters<u16> {
  static constexpr std::string_view one = "h=h", two = "h=hh", three = "h=hhh", wide = "w=hh",
                                    wide_add = "w=hhw";
};
template <>
struct Letters<u32> {
  static constexpr std::string_view one = "w=w", two = "w=ww", three = "w=www", wide = "q=ww",
                                    wide_add = "q=wwq";
};
template <>
struct Letters<u64> {
  static constexpr std::string_view one = "q=q", two = "q=qq", three = "q=qqq";
};

template <class T>
void add_type(Table& table, const std::string& type) {
  using S = Slot<T>;
  using L = Letters<Unsigned<T>>;
  constexpr std::string_view two = L::two;
  table.add("add." + type, two,
            binary<S, S, S, [](S a, S b) { return stored<T>(static_cast<T>(a + b)); }>);
  table.add("sub." + type, two,
            binary<S, S, S, [](S a, S b) { return stored<T>(static_cast<T>(a - b)); }>);
  table.add("mul.lo." + type, two,
            binary<S, S, S, [](S a, S b) { return low<T>(static_cast<T>(a), static_cast<T>(b)); }>);
  table.add("mul.hi." + type, two, binary<S, S, S, [](S a, S b) {
              return stored<T>(high<T>(static_cast<T>(a), static_cast<T>(b)));
            }>);
  table.add("mad.lo." + type, L::three, ternary<S, S, S, S, [](S a, S b, S c) {
              return stored<T>(static_cast<T>(low<T>(static_cast<T>(a), static_cast<T>(b)) + c));
            }>);
  table.add("mad.hi." + type, L::three, ternary<S, S, S, S, [](S a, S b, S c) {
              return stored<T>(static_cast<T>(
                  static_cast<S>(high<T>(static_cast<T>(a), static_cast<T>(b))) + c));
            }>);
  table.add("div." + type, two, binary<S, S, S, [](S a, S b) {
              return stored<T>(divided<T>(static_cast<T>(a), static_cast<T>(b)));
            }>);
  table.add("rem." + type, two, binary<S, S, S, [](S a, S b) {
              return stored<T>(remainder<T>(static_cast<T>(a), static_cast<T>(b)));
            }>);
  table.add("min." + type, two, binary<S, S, S, [](S a, S b) {
              return stored<T>(std::min(static_cast<T>(a), static_cast<T>(b)));
            }>);
  table.add("max." + type, two, binary<S, S, S, [](S a, S b) {
              return stored<T>(std::max(static_cast<T>(a), static_cast<T>(b)));
            }>);
  table.add("sad." + type, L::three, ternary<S, S, S, S, [](S a, S b, S c) {
              const T x = static_cast<T>(a);
              const T y = static_cast<T>(b);
              const auto distance = x < y ? static_cast<S>(static_cast<S>(y) - static_cast<S>(x))
                                          : static_cast<S>(static_cast<S>(x) - static_cast<S>(y));
              return stored<T>(static_cast<T>(distance + c));
            }>);
  if constexpr (sizeof(T) < 8) {
    using W = DoubleSlot<T>;
    table.add(
        "mul.wide." + type, L::wide,
        binary<W, S, S, [](S a, S b) { return whole<T>(static_cast<T>(a), static_cast<T>(b)); }>);
    table.add("mad.wide." + type, L::wide_add, ternary<W, S, S, W, [](S a, S b, W c) {
                return whole<T>(static_cast<T>(a), static_cast<T>(b)) + c;
              }>);
  }
  if constexpr (std::is_signed_v<T>) {
    table.add("neg." + type, L::one,
              unary<S, S, [](S a) { return stored<T>(static_cast<T>(0 - a)); }>);
    table.add("abs." + type, L::one, unary<S, S, [](S a) {
                return stored<T>(static_cast<T>(static_cast<T>(a) < 0 ? 0 - a : a));
              }>);
  }
}

// Sums with the condition code: a carry for add, a borrow for sub.
template <class T, bool Subtract, bool Uses, bool Sets>
void with_carry(Lanes& lanes, const Operation& operation) {
  const T* a = lanes.at<T>(operation.in[0]);
  const T* b = lanes.at<T>(operation.in[1]);
  T* d = lanes.at<T>(operation.out);
  std::uint32_t& carry = lanes.predicate(execute::slot_carry);
  lanes.each([&](int lane) {
    const u32 bit = 1U << static_cast<unsigned>(lane);
    const u128 in = Uses && (carry & bit) != 0 ? 1U : 0U;
    const u128 result = Subtract ? static_cast<u128>(a[lane]) - b[lane] - in
                                 : static_cast<u128>(a[lane]) + b[lane] + in;
    d[lane] = static_cast<T>(result);
    if (Sets) carry = ((result >> (8 * sizeof(T))) & 1U) != 0 ? carry | bit : carry & ~bit;
  });
}

template <class T>
void add_carries(Table& table, const std::string& type) {
  constexpr std::string_view two = Letters<T>::two;
  table.add("add.cc." + type, two, with_carry<T, false, false, true>);
  table.add("addc." + type, two, with_carry<T, false, true, false>);
  table.add("addc.cc." + type, two, with_carry<T, false, true, true>);
  table.add("sub.cc." + type, two, with_carry<T, true, false, true>);
  table.add("subc." + type, two, with_carry<T, true, true, false>);
  table.add("subc.cc." + type, two, with_carry<T, true, true, true>);
}

template <bool Signed>
constexpr s64 product24(u32 a, u32 b) {
  if (Signed) {
    return static_cast<s64>(static_cast<s32>(a << 8U) >> 8) * (static_cast<s32>(b << 8U) >> 8);
  }
  return static_cast<s64>(static_cast<u64>(a & 0xffffffU) * (b & 0xffffffU));
}

template <bool SignedA, bool SignedB>
constexpr u32 dot4(u32 a, u32 b, u32 c) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const s32 x =
        SignedA ? static_cast<std::int8_t>(a >> shift) : static_cast<s32>((a >> shift) & 0xffU);
    const s32 y =
        SignedB ? static_cast<std::int8_t>(b >> shift) : static_cast<s32>((b >> shift) & 0xffU);
    c += static_cast<u32>(x * y);
  }
  return c;
}

}  // namespace

void add_integer_forms(Table& table) {
  add_type<u16>(table, "u16");
  add_type<s16>(table, "s16");
  add_type<u32>(table, "u32");
  add_type<s32>(table, "s32");
  add_type<u64>(table, "u64");
  add_type<s64>(table, "s64");
  for (const std::string type : {"u32", "s32"}) add_carries<u32>(table, type);
  for (const std::string type : {"u64", "s64"}) add_carries<u64>(table, type);
  table.add("add.sat.s32", "w=ww", binary<u32, u32, u32, [](u32 a, u32 b) {
              return static_cast<u32>(saturated(s64{static_cast<s32>(a)} + static_cast<s32>(b)));
            }>);
  table.add("sub.sat.s32", "w=ww", binary<u32, u32, u32, [](u32 a, u32 b) {
              return static_cast<u32>(saturated(s64{static_cast<s32>(a)} - static_cast<s32>(b)));
            }>);
  table.add(
      "mul24.lo.s32", "w=ww",
      binary<u32, u32, u32, [](u32 a, u32 b) { return static_cast<u32>(product24<true>(a, b)); }>);
  table.add(
      "mul24.lo.u32", "w=ww",
      binary<u32, u32, u32, [](u32 a, u32 b) { return static_cast<u32>(product24<false>(a, b)); }>);
  table.add("mul24.hi.s32", "w=ww", binary<u32, u32, u32, [](u32 a, u32 b) {
              return static_cast<u32>(product24<true>(a, b) >> 16);
            }>);
  table.add("mul24.hi.u32", "w=ww", binary<u32, u32, u32, [](u32 a, u32 b) {
              return static_cast<u32>(product24<false>(a, b) >> 16);
            }>);
  table.add("dp4a.u32.u32", "w=www", ternary<u32, u32, u32, u32, dot4<false, false>>);
  table.add("dp4a.s32.s32", "w=www", ternary<u32, u32, u32, u32, dot4<true, true>>);
  table.add("dp4a.u32.s32", "w=www", ternary<u32, u32, u32, u32, dot4<false, true>>);
  table.add("dp4a.s32.u32", "w=www", ternary<u32, u32, u32, u32, dot4<true, false>>);
}

}  // namespace ptx::decode
