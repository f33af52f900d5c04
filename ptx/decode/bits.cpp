// Logic, shifts, bit fields and byte permutations, ISA 9.7.1 and 9.7.8; prmt is 9.7.9.7.
#include <algorithm>
#include <bit>

#include "ptx/decode/form.hpp"
#include "ptx/execute/lanes.hpp"

namespace ptx::decode {
namespace {

using execute::binary;
using execute::Lanes;
using execute::Operation;
using execute::ternary;
using execute::unary;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <auto F>
void predicates(Lanes& lanes, const Operation& operation) {
  lanes.set_predicate(operation.out,
                      F(lanes.predicate(operation.in[0]), lanes.predicate(operation.in[1])));
}
template <auto F>
void predicate(Lanes& lanes, const Operation& operation) {
  lanes.set_predicate(operation.out, F(lanes.predicate(operation.in[0])));
}

// d = p ? a : b
template <class T>
void select(Lanes& lanes, const Operation& operation) {
  T* d = lanes.at<T>(operation.out);
  const T* a = lanes.at<T>(operation.in[0]);
  const T* b = lanes.at<T>(operation.in[1]);
  const u32 p = lanes.predicate(operation.in[2]) ^ operation.flip;
  if (lanes.mask == execute::all_lanes) {
    FP4CTS_LANES_ARE_APART
    for (int lane = 0; lane < execute::warp_lanes; ++lane) {
      const T choose = static_cast<T>(0) - static_cast<T>((p >> static_cast<unsigned>(lane)) & 1U);
      d[lane] = (a[lane] & choose) | (b[lane] & ~choose);
    }
  } else {
    lanes.each([&](int lane) {
      d[lane] = ((p >> static_cast<unsigned>(lane)) & 1U) != 0 ? a[lane] : b[lane];
    });
  }
}

// Amounts above the width clamp; they never wrap.
template <class T, unsigned Bits>
constexpr T shifted_left(T a, u32 amount) {
  constexpr T mask = static_cast<T>(~T{0}) >> (8 * sizeof(T) - Bits);
  return amount >= Bits ? T{0} : static_cast<T>((a << amount) & mask);
}
template <class T, unsigned Bits>
constexpr T shifted_right(T a, u32 amount) {
  return amount >= Bits ? T{0} : static_cast<T>(a >> amount);
}
template <class T, unsigned Bits, class Signed>
constexpr T shifted_right_signed(T a, u32 amount) {
  constexpr T mask = static_cast<T>(~T{0}) >> (8 * sizeof(T) - Bits);
  return static_cast<T>(static_cast<T>(static_cast<Signed>(a) >> std::min(amount, Bits - 1))) &
         mask;
}

template <bool Left, bool Wrap>
constexpr u32 funnel(u32 low, u32 high, u32 amount) {
  const u32 n = Wrap ? amount & 31U : std::min(amount, 32U);
  const u64 both = (static_cast<u64>(high) << 32U) | low;
  return static_cast<u32>(Left ? (both << n) >> 32U : both >> n);
}

// Bit fields. The text of the ISA takes bits 0 to 7 of position and length; so do the 32-bit forms
// of an H200, while its 64-bit forms take all 32 bits.
template <class T, bool Signed>
constexpr T extracted(T a, u32 position, u32 length) {
  constexpr u32 top = 8 * sizeof(T) - 1;
  if (sizeof(T) == 4) {
    position &= 0xffU;
    length &= 0xffU;
  }
  if (length == 0) return 0;
  const u64 last = std::min<u64>(u64{position} + length - 1, top);
  const bool fill = Signed && ((a >> last) & 1U) != 0;
  if (position > top) return fill ? ~T{0} : T{0};
  T field = a >> position;
  if (length <= top) {
    const T mask = (T{1} << length) - 1;
    field &= mask;
    // Above the sign bit of what there is of the field.
    const u64 have = last - position + 1;
    if (fill && have <= top) field |= ~T{0} << have;
  } else if (fill) {
    const u64 have = last - position + 1;
    if (have <= top) field |= ~T{0} << have;
  }
  return field;
}

template <class T>
void insert(Lanes& lanes,
            const Operation& operation) {  // d = b with `length` bits of a at `position`
  constexpr u32 width = 8 * sizeof(T);
  const T* a = lanes.at<T>(operation.in[0]);
  const T* b = lanes.at<T>(operation.in[1]);
  const u32* positions = lanes.at<u32>(operation.in[2]);
  const u32* lengths = lanes.at<u32>(operation.in[3]);
  T* d = lanes.at<T>(operation.out);
  lanes.each([&](int lane) {
    const u32 position = sizeof(T) == 4 ? positions[lane] & 0xffU : positions[lane];
    const u32 length = sizeof(T) == 4 ? lengths[lane] & 0xffU : lengths[lane];
    T result = b[lane];
    if (position < width && length != 0) {
      const T field = length >= width ? ~T{0} : static_cast<T>((T{1} << length) - 1);
      result = (result & ~(field << position)) | ((a[lane] & field) << position);
    }
    d[lane] = result;
  });
}

enum class Permute : std::uint8_t { generic, f4e, b4e, rc8, ecl, ecr, rc16 };

constexpr u32 byte_of(u64 both, u32 index) { return static_cast<u32>(both >> (8 * index)) & 0xffU; }

template <Permute Mode>
constexpr u32 permuted(u32 a, u32 b, u32 selector) {
  const u64 both = (static_cast<u64>(b) << 32U) | a;
  const u32 c = selector & 3U;
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    u32 byte = 0;
    switch (Mode) {
      case Permute::generic: {
        const u32 nibble = (selector >> (4 * i)) & 0xfU;
        byte = byte_of(both, nibble & 7U);
        if ((nibble & 8U) != 0) byte = (byte & 0x80U) != 0 ? 0xffU : 0;
        break;
      }
      case Permute::f4e:
        byte = byte_of(both, c + i);
        break;
      case Permute::b4e:
        byte = byte_of(both, (c - i) & 7U);
        break;
      case Permute::rc8:
        byte = byte_of(both, c);
        break;
      case Permute::ecl:
        byte = byte_of(both, std::max(c, i));
        break;
      case Permute::ecr:
        byte = byte_of(both, std::min(c, i));
        break;
      case Permute::rc16:
        byte = byte_of(both, (2 * (c & 1U)) + (i & 1U));
        break;
    }
    result |= byte << (8 * i);
  }
  return result;
}

void lop3(Lanes& lanes, const Operation& operation) {
  const u32* a = lanes.at<u32>(operation.in[0]);
  const u32* b = lanes.at<u32>(operation.in[1]);
  const u32* c = lanes.at<u32>(operation.in[2]);
  u32* d = lanes.at<u32>(operation.out);
  const auto table = static_cast<u32>(operation.immediate);
  lanes.each([&](int lane) {
    u32 result = 0;
    for (u32 index = 0; index < 8; ++index) {
      if (((table >> index) & 1U) == 0) continue;
      result |= ((index & 4U) != 0 ? a[lane] : ~a[lane]) &
                ((index & 2U) != 0 ? b[lane] : ~b[lane]) & ((index & 1U) != 0 ? c[lane] : ~c[lane]);
    }
    d[lane] = result;
  });
}

constexpr u32 reversed(u32 a) {
  u32 result = 0;
  for (u32 i = 0; i < 32; ++i) result |= ((a >> i) & 1U) << (31 - i);
  return result;
}
u64 reversed64(u64 a) {
  return (static_cast<u64>(reversed(static_cast<u32>(a))) << 32U) |
         reversed(static_cast<u32>(a >> 32U));
}

template <class T, bool Signed, bool ShiftAmount>
constexpr u32 leading(T a) {  // the place of the first bit that is no copy of the sign
  constexpr T sign = T{1} << (8 * sizeof(T) - 1);
  if (Signed && (a & sign) != 0) a = ~a;
  if (a == 0) return 0xffff'ffffU;
  const auto zeros = static_cast<u32>(std::countl_zero(a));
  return ShiftAmount ? zeros : static_cast<u32>(8 * sizeof(T) - 1) - zeros;
}

template <class T, unsigned Bits>
void add_width(Table& table, const std::string& bits, std::string_view one, std::string_view two,
               std::string_view shift, std::string_view selects) {
  constexpr T mask = static_cast<T>(~T{0}) >> (8 * sizeof(T) - Bits);
  table.add("and.b" + bits, two, binary<T, T, T, [](T a, T b) { return static_cast<T>(a & b); }>);
  table.add("or.b" + bits, two, binary<T, T, T, [](T a, T b) { return static_cast<T>(a | b); }>);
  table.add("xor.b" + bits, two, binary<T, T, T, [](T a, T b) { return static_cast<T>(a ^ b); }>);
  table.add("not.b" + bits, one, unary<T, T, [](T a) { return static_cast<T>(~a & mask); }>);
  table.add("cnot.b" + bits, one, unary<T, T, [](T a) { return a == 0 ? T{1} : T{0}; }>);
  table.add("shl.b" + bits, shift, binary<T, T, u32, shifted_left<T, Bits>>);
  table.add("shr.b" + bits, shift, binary<T, T, u32, shifted_right<T, Bits>>);
  table.add("shr.u" + bits, shift, binary<T, T, u32, shifted_right<T, Bits>>);
  using Signed = std::conditional_t<Bits == 16, std::int16_t, std::make_signed_t<T>>;
  table.add("shr.s" + bits, shift, binary<T, T, u32, shifted_right_signed<T, Bits, Signed>>);
  for (const char* kind : {"b", "u", "s"})
    table.add(std::string{"selp."} + kind + bits, selects, select<T>);
  for (const char* kind : {"b", "u", "s"}) {
    table.add(std::string{"mov."} + kind + bits, one, unary<T, T, [](T a) { return a; }>);
  }
}

}  // namespace

void add_bit_forms(Table& table) {
  add_width<u32, 16>(table, "16", "h=h", "h=hh", "h=hw", "h=hhp");
  add_width<u32, 32>(table, "32", "w=w", "w=ww", "w=ww", "w=wwp");
  add_width<u64, 64>(table, "64", "q=q", "q=qq", "q=qw", "q=qqp");
  table.add("selp.f32", "w=ffp", select<u32>);
  table.add("mov.f32", "w=f", unary<u32, u32, [](u32 a) { return a; }>);
  for (const char* form :
       {"cvta.to.global.u64", "cvta.global.u64"}) {  // the same address, generic or not
    table.add(form, "q=q", unary<u64, u64, [](u64 a) { return a; }>);
  }
  table.add("and.pred", "p=pp", predicates<[](u32 a, u32 b) { return a & b; }>);
  table.add("or.pred", "p=pp", predicates<[](u32 a, u32 b) { return a | b; }>);
  table.add("xor.pred", "p=pp", predicates<[](u32 a, u32 b) { return a ^ b; }>);
  table.add("not.pred", "p=p", predicate<[](u32 a) { return ~a; }>);
  table.add("mov.pred", "p=p", predicate<[](u32 a) { return a; }>);
  table.add("shf.l.wrap.b32", "w=www", ternary<u32, u32, u32, u32, funnel<true, true>>);
  table.add("shf.l.clamp.b32", "w=www", ternary<u32, u32, u32, u32, funnel<true, false>>);
  table.add("shf.r.wrap.b32", "w=www", ternary<u32, u32, u32, u32, funnel<false, true>>);
  table.add("shf.r.clamp.b32", "w=www", ternary<u32, u32, u32, u32, funnel<false, false>>);
  table.add("bfe.u32", "w=www", ternary<u32, u32, u32, u32, extracted<u32, false>>);
  table.add("bfe.s32", "w=www", ternary<u32, u32, u32, u32, extracted<u32, true>>);
  table.add("bfe.u64", "q=qww", ternary<u64, u64, u32, u32, extracted<u64, false>>);
  table.add("bfe.s64", "q=qww", ternary<u64, u64, u32, u32, extracted<u64, true>>);
  table.add("bfi.b32", "w=wwww", insert<u32>);
  table.add("bfi.b64", "q=qqww", insert<u64>);
  table.add("prmt.b32", "w=www", ternary<u32, u32, u32, u32, permuted<Permute::generic>>);
  table.add("prmt.b32.f4e", "w=www", ternary<u32, u32, u32, u32, permuted<Permute::f4e>>);
  table.add("prmt.b32.b4e", "w=www", ternary<u32, u32, u32, u32, permuted<Permute::b4e>>);
  table.add("prmt.b32.rc8", "w=www", ternary<u32, u32, u32, u32, permuted<Permute::rc8>>);
  table.add("prmt.b32.ecl", "w=www", ternary<u32, u32, u32, u32, permuted<Permute::ecl>>);
  table.add("prmt.b32.ecr", "w=www", ternary<u32, u32, u32, u32, permuted<Permute::ecr>>);
  table.add("prmt.b32.rc16", "w=www", ternary<u32, u32, u32, u32, permuted<Permute::rc16>>);
  table.add("lop3.b32", "w=wwwi", lop3);
  table.add("popc.b32", "w=w",
            unary<u32, u32, [](u32 a) { return static_cast<u32>(std::popcount(a)); }>);
  table.add("popc.b64", "w=q",
            unary<u32, u64, [](u64 a) { return static_cast<u32>(std::popcount(a)); }>);
  table.add("clz.b32", "w=w",
            unary<u32, u32, [](u32 a) { return static_cast<u32>(std::countl_zero(a)); }>);
  table.add("clz.b64", "w=q",
            unary<u32, u64, [](u64 a) { return static_cast<u32>(std::countl_zero(a)); }>);
  table.add("brev.b32", "w=w", unary<u32, u32, reversed>);
  table.add("brev.b64", "q=q", unary<u64, u64, reversed64>);
  table.add("bfind.u32", "w=w", unary<u32, u32, leading<u32, false, false>>);
  table.add("bfind.s32", "w=w", unary<u32, u32, leading<u32, true, false>>);
  table.add("bfind.u64", "w=q", unary<u32, u64, leading<u64, false, false>>);
  table.add("bfind.s64", "w=q", unary<u32, u64, leading<u64, true, false>>);
  table.add("bfind.shiftamt.u32", "w=w", unary<u32, u32, leading<u32, false, true>>);
  table.add("bfind.shiftamt.s32", "w=w", unary<u32, u32, leading<u32, true, true>>);
  table.add("bfind.shiftamt.u64", "w=q", unary<u32, u64, leading<u64, false, true>>);
  table.add("bfind.shiftamt.s64", "w=q", unary<u32, u64, leading<u64, true, true>>);
}

}  // namespace ptx::decode
