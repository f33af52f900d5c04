#include "oracle/numbers/describe.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace oracle {

namespace {

template <class E, std::size_t N>
using Names = std::array<std::pair<E, std::string_view>, N>;

constexpr Names<Round, 6> round_names{{{Round::rne, "rne"},
                                       {Round::rna, "rna"},
                                       {Round::rtz, "rtz"},
                                       {Round::rtp, "rtp"},
                                       {Round::rtn, "rtn"},
                                       {Round::rs, "rs"}}};
constexpr Names<Overflow, 3> overflow_names{{{Overflow::satfinite, "satfinite"},
                                             {Overflow::to_inf, "to_inf"},
                                             {Overflow::to_nan, "to_nan"}}};
constexpr Names<Step, 8> step_names{{{Step::exact, "exact"},
                                     {Step::tie_down, "tie, down"},
                                     {Step::tie_up, "tie, up"},
                                     {Step::down, "down"},
                                     {Step::up, "up"},
                                     {Step::overflow, "overflow"},
                                     {Step::smallest, "below range, smallest value"},
                                     {Step::nan, "NaN"}}};
constexpr Names<CodeClass, 5> class_names{{{CodeClass::zero, "zero"},
                                           {CodeClass::subnormal, "subnormal"},
                                           {CodeClass::normal, "normal"},
                                           {CodeClass::infinity, "infinity"},
                                           {CodeClass::nan, "NaN"}}};

template <class E, std::size_t N>
std::string_view lookup(const Names<E, N>& names, E value) {
  const auto* const found =
      std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.first == value; });
  return found == names.end() ? std::string_view("?") : found->second;
}

template <class E, std::size_t N>
Result<E> parse(const Names<E, N>& names, std::string_view what, std::string_view name) {
  std::string known;
  for (const auto& [value, text] : names) {
    if (text == name) return value;
    known.append(known.empty() ? "" : ", ").append(text);
  }
  return fail(ErrorCode::unknown_name, std::string(what) + ": expected one of " + known +
                                           "; got '" + std::string(name) + "'");
}

// A nonnegative integer in decimal, lowest digit first.
class Decimal {
 public:
  explicit Decimal(std::uint64_t value) {
    for (; value != 0; value /= 10) digits_.push_back(static_cast<std::uint8_t>(value % 10));
  }
  void multiply(unsigned factor) {
    unsigned carry = 0;
    for (std::uint8_t& digit : digits_) {
      carry += digit * factor;
      digit = static_cast<std::uint8_t>(carry % 10);
      carry /= 10;
    }
    for (; carry != 0; carry /= 10) digits_.push_back(static_cast<std::uint8_t>(carry % 10));
  }
  // With the point before the last `places` digits.
  std::string text(std::size_t places) const {
    std::string s;
    for (std::size_t i = std::max(digits_.size(), places + 1); i-- > 0;) {
      s += static_cast<char>('0' + (i < digits_.size() ? digits_[i] : 0));
      if (i == places && places != 0) s += '.';
    }
    return s;
  }

 private:
  std::vector<std::uint8_t> digits_;
};

std::string binary(std::uint32_t value, int width) {
  std::string s;
  for (int i = width; i-- > 0;) s += ((value >> i) & 1U) != 0 ? '1' : '0';
  return s;
}

std::string sign_text(const Exact& x) { return x.negative() ? "-" : ""; }

std::string special_text(const Exact& x) {
  std::string s = sign_text(x);
  s += x.is_nan() ? "NaN" : x.is_infinity() ? "inf" : "0";
  return s;
}

}  // namespace

std::string_view name_of(Round mode) { return lookup(round_names, mode); }
std::string_view name_of(Overflow overflow) { return lookup(overflow_names, overflow); }
std::string_view name_of(Step step) { return lookup(step_names, step); }
std::string_view name_of(CodeClass c) { return lookup(class_names, c); }

Result<Round> find_round(std::string_view name) { return parse(round_names, "rounding", name); }
Result<Overflow> find_overflow(std::string_view name) {
  return parse(overflow_names, "overflow", name);
}

std::string exact_decimal(const Exact& x) {
  if (!x.is_finite_nonzero()) return special_text(x);
  Decimal digits(x.significand());
  // n * 2^-k = n * 5^k / 10^k: k digits after the point, the last of them a 5 since n is odd.
  const bool fraction = x.exponent() < 0;
  for (int i = 0; i < (fraction ? -x.exponent() : x.exponent()); ++i) {
    digits.multiply(fraction ? 5 : 2);
  }
  return sign_text(x) + digits.text(fraction ? static_cast<std::size_t>(-x.exponent()) : 0);
}

std::string readable(const Exact& x) {
  constexpr std::size_t longest = 24;
  std::string decimal = exact_decimal(x);
  return decimal.size() <= longest ? decimal : exact_dyadic(x);
}

std::string exact_dyadic(const Exact& x) {
  if (!x.is_finite_nonzero()) return special_text(x);
  std::string s = sign_text(x);
  s += std::to_string(x.significand()) + "*2^" + std::to_string(x.exponent());
  return s;
}

CodeFields fields_of(const FormatSpec& f, std::uint32_t code) {
  const std::uint32_t exponent = (code & exponent_mask(f)) >> f.mantissa_bits;
  const Exact value = decode(f, code);
  CodeClass c = f.subnormals && exponent == 0 ? CodeClass::subnormal : CodeClass::normal;
  if (value.is_zero()) c = CodeClass::zero;
  if (value.is_infinity()) c = CodeClass::infinity;
  if (value.is_nan()) c = CodeClass::nan;
  return {code, is_negative(f, code) ? 1U : 0U, exponent, code & mantissa_mask(f), c, value};
}

std::string hex_code(const FormatSpec& f, std::uint32_t code) {
  static constexpr std::string_view hex = "0123456789abcdef";
  std::string s = "0x";
  for (int i = (code_bits(f) + 3) / 4; i-- > 0;) s += hex[(code >> (4 * i)) & 0xfU];
  return s;
}

std::string code_and_value(const FormatSpec& f, std::uint32_t code) {
  return hex_code(f, code) + " (" + readable(decode(f, code)) + ")";
}

std::string describe_code(const FormatSpec& f, std::uint32_t code) {
  const CodeFields c = fields_of(f, code);
  std::string s = hex_code(f, code) + " = 0b";
  if (f.sign_bits != 0) s.append(binary(c.sign, 1)).append("'");
  s += binary(c.exponent_field, f.exponent_bits);
  if (f.mantissa_bits != 0) s.append("'").append(binary(c.mantissa_field, f.mantissa_bits));
  if (f.sign_bits != 0) s += ", sign " + std::to_string(c.sign);
  s += ", exponent field " + std::to_string(c.exponent_field);
  if (f.mantissa_bits != 0) s += ", mantissa field " + std::to_string(c.mantissa_field);
  return s + ", " + std::string(name_of(c.code_class)) + ", " + readable(c.value);
}

Neighbours neighbours_of(const FormatSpec& f, const Exact& x) {
  assert(!x.is_nan());
  if (x.negative() && !x.is_zero() && f.sign_bits == 0) return {std::nullopt, 0U};
  // Magnitudes first. Their codes count upward from 0, and with unbounded exponent toward-zero and
  // away-from-zero roundings would find both; the ends of the range are settled here.
  const std::uint32_t sign = x.negative() && f.sign_bits != 0 ? sign_mask(f) : 0U;
  const std::uint32_t zero = has_negative_zero(f) ? sign : 0U;
  std::optional<std::uint32_t> inner;
  std::optional<std::uint32_t> outer;
  if (x.is_zero() || std::is_lt(compare_magnitude(x, min_positive(f)))) {
    const std::uint32_t smallest = has_zero(f) ? 1U : 0U;
    if (has_zero(f)) inner = zero;
    outer = x.is_zero() && has_zero(f) ? zero : smallest | sign;
  } else if (x.is_infinity() || std::is_gt(compare_magnitude(x, max_finite(f)))) {
    inner = max_finite_code(f) | sign;
  } else {
    const auto down = detail::try_encode(f, abs(x), Round::rtz, Overflow::satfinite, strict);
    inner = down.encoding.code | sign;
    outer = down.encoding.step == Step::exact ? *inner : *inner + 1;
  }
  return x.negative() ? Neighbours{outer, inner} : Neighbours{inner, outer};
}

Result<std::string> describe_rounding(const FormatSpec& f, const Exact& x, const Rounding& rounding,
                                      Overflow overflow, const SpecialInputs& special) {
  const Result<Encoding> e = encode_traced(f, x, rounding, overflow, special);
  if (!e) return tl::make_unexpected(e.error());
  std::string s = readable(x);
  if (!x.is_nan()) {
    const Neighbours n = neighbours_of(f, x);
    if (n.at_most && n.at_most == n.at_least) {
      s += " is " + code_and_value(f, *n.at_most);
    } else if (n.at_most && n.at_least) {
      s += " lies between " + code_and_value(f, *n.at_most) + " and " +
           code_and_value(f, *n.at_least);
    } else if (n.at_most) {
      s += " lies above the largest value " + code_and_value(f, *n.at_most);
    } else if (n.at_least) {
      s += " lies below the smallest value " + code_and_value(f, *n.at_least);
    }
  }
  return s + "; " + std::string(name_of(rounding.mode)) + " " + std::string(name_of(overflow)) +
         ": " + std::string(name_of(e->step)) + ", gives " + code_and_value(f, e->code);
}

}  // namespace oracle
