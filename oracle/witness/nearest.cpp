#include "oracle/witness/nearest.hpp"

#include <array>
#include <stdexcept>

namespace witness {

namespace {

// What the documents say of each format, typed in. Magnitude codes count upward from the smallest
// value: the first `per_binade` codes are 0, 1, 2 .. quanta, and from there on each `per_binade`
// codes span twice the range of the ones before. `beyond` is the value that the code after the
// largest finite one would have if the format went on: results that round to it or beyond overflow.
struct Facts {
  std::uint32_t per_binade;  // 2^mantissa bits
  int quantum;               // exponent of the smallest value
  std::uint32_t largest;     // the code of the largest finite magnitude
  std::uint64_t beyond;      // beyond * 2^beyond_exponent
  int beyond_exponent;
  std::optional<std::uint32_t> sign_bit;
  std::optional<std::uint32_t> nan;
  std::optional<std::uint32_t> infinity;
};

Facts facts_of(Format format) {
  switch (format) {
    case Format::e2m1:
      return {2, -1, 0x7, 8, 0, 0x8, {}, {}};
    case Format::e2m3:
      return {8, -3, 0x1f, 8, 0, 0x20, {}, {}};
    case Format::e3m2:
      return {4, -4, 0x1f, 32, 0, 0x20, {}, {}};
    case Format::e4m3:
      return {8, -9, 0x7e, 480, 0, 0x80, 0x7f, {}};
    case Format::e4m3fnuz:
      return {8, -10, 0x7f, 256, 0, 0x80, 0x80, {}};
    case Format::e5m2:
      return {4, -16, 0x7b, 65536, 0, 0x80, 0x7e, 0x7c};
    case Format::ue4m3:
      return {8, -9, 0x7e, 480, 0, {}, 0x7f, {}};
    case Format::ue5m3:
      return {8, -17, 0xfe, 122880, 0, {}, 0xff, {}};
    case Format::e8m0:
      return {1, -127, 0xfe, 1, 128, {}, 0xff, {}};
    case Format::f32:
      return {0x800000, -149, 0x7f7fffff, 1, 128, 0x80000000, 0x7fc00000, 0x7f800000};
    case Format::f16:
      return {0x400, -24, 0x7bff, 65536, 0, 0x8000, 0x7e00, 0x7c00};
    case Format::bf16:
      return {0x80, -133, 0x7f7f, 1, 128, 0x8000, 0x7fc0, 0x7f80};
  }
  throw std::logic_error("witness: no such format");
}

Fixed magnitude_of(Format format, const Facts& f, std::uint32_t code) {
  if (format == Format::e8m0) return {1, static_cast<int>(code) - 127};
  if (code < f.per_binade) return {code, f.quantum};
  const std::uint32_t binade = code / f.per_binade - 1;
  return {std::uint64_t{f.per_binade} + code % f.per_binade, f.quantum + static_cast<int>(binade)};
}

// The largest magnitude code whose value is at most x; nothing where even code 0 is more.
std::optional<std::uint32_t> last_at_most(Format format, const Facts& f, const Fixed& x) {
  if (f.largest <= 0xff) {  // look at every one
    std::optional<std::uint32_t> found;
    for (std::uint32_t code = 0; code <= f.largest; ++code) {
      if (magnitude_of(format, f, code) <= x &&
          (!found || magnitude_of(format, f, code) > magnitude_of(format, f, *found))) {
        found = code;
      }
    }
    return found;
  }
  std::uint32_t low = 0;  // wide formats start at zero, which is at most anything
  std::uint32_t high = f.largest;
  while (low < high) {
    const std::uint32_t middle = low + (high - low + 1) / 2;
    if (magnitude_of(format, f, middle) <= x) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace

Number number_of(Format format, std::uint32_t code) {
  const Facts f = facts_of(format);
  if (format == Format::e4m3fnuz && code == 0x80) return {Number::Kind::nan, false, {}};
  const bool negative = f.sign_bit && (code & *f.sign_bit) != 0;
  const std::uint32_t magnitude = negative ? code - *f.sign_bit : code;
  if (f.infinity && magnitude == *f.infinity) return {Number::Kind::infinite, negative, {}};
  if (magnitude > f.largest) return {Number::Kind::nan, false, {}};
  return {Number::Kind::finite, negative, magnitude_of(format, f, magnitude)};
}

std::optional<std::uint32_t> nearest(Format format, const Number& x, Mode mode, Beyond beyond) {
  const Facts f = facts_of(format);
  if (x.kind == Number::Kind::nan) return f.nan;

  const bool is_zero = x.kind == Number::Kind::finite && x.magnitude == Fixed();
  const std::uint32_t sign = x.negative && f.sign_bit ? *f.sign_bit : 0;
  if (x.negative && !f.sign_bit && !is_zero) return std::nullopt;
  const bool outward = x.negative ? mode == Mode::negative : mode == Mode::positive;
  const bool inward =
      mode == Mode::zero || (x.negative ? mode == Mode::positive : mode == Mode::negative);

  const Fixed next(f.beyond, f.beyond_exponent);
  bool overflows = x.kind == Number::Kind::infinite || x.magnitude >= next;
  std::uint32_t code = 0;
  if (!overflows) {
    const std::optional<std::uint32_t> below = last_at_most(format, f, x.magnitude);
    if (!below) return std::nullopt;
    code = *below;
    const Fixed lower = magnitude_of(format, f, code);
    const Fixed upper = code == f.largest ? next : magnitude_of(format, f, code + 1);
    const auto half = x.magnitude + x.magnitude <=> lower + upper;
    const bool tie_up = mode == Mode::nearest_away || code % 2 == 1 || format == Format::e8m0;
    const bool nearer_upper =
        !inward && !outward && (std::is_gt(half) || (std::is_eq(half) && tie_up));
    if (x.magnitude != lower && (outward || nearer_upper)) {
      overflows = code == f.largest;
      ++code;
    }
  }
  if (overflows) {
    if (beyond == Beyond::nan) return f.nan;
    if (beyond == Beyond::infinity && !f.infinity) return std::nullopt;
    const bool stays = beyond == Beyond::saturates || (inward && x.kind == Number::Kind::finite);
    code = stays ? f.largest : *f.infinity;
  }
  if (code == 0 && format == Format::e4m3fnuz) return 0;
  return code | sign;
}

Number product_e2m1_e4m3(std::uint32_t code, std::uint32_t scale) {
  static constexpr std::array<std::uint64_t, 8> halves{0, 1, 2, 3, 4, 6, 8, 12};
  const bool negative = (code >= 8) != (scale >= 0x80);
  const std::uint32_t s = scale % 0x80;
  if (s == 0x7f) return {Number::Kind::nan, false, {}};
  // The scale in units of 2^-9, by counting up: the step doubles after 16, 24, 32 .. codes.
  std::uint64_t units = 0;
  std::uint64_t step = 1;
  for (std::uint32_t i = 0; i < s; ++i) {
    if (i >= 16 && i % 8 == 0) step *= 2;
    units += step;
  }
  return {Number::Kind::finite, negative, Fixed(halves.at(code % 8) * units, -10)};
}

Number product_e2m1_e8m0(std::uint32_t code, std::uint32_t scale) {
  static constexpr std::array<std::uint64_t, 8> halves{0, 1, 2, 3, 4, 6, 8, 12};
  if (scale == 0xff) return {Number::Kind::nan, false, {}};
  return {Number::Kind::finite, code >= 8,
          Fixed(halves.at(code % 8), static_cast<int>(scale) - 128)};
}

}  // namespace witness
