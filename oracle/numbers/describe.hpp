// Codes, values and roundings in words, for `explain` and for diagnoses. Decimal numbers are exact
// expansions made with integers; every dyadic value has one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "oracle/numbers/encode.hpp"

namespace oracle {

std::string_view name_of(Round mode);         // "rne"
std::string_view name_of(Overflow overflow);  // "satfinite"
std::string_view name_of(Step step);          // "tie, down"

[[nodiscard]] Result<Round> find_round(std::string_view name);
[[nodiscard]] Result<Overflow> find_overflow(std::string_view name);

// The exact decimal expansion: "2.75", "-0", "inf", "-NaN". 2^-149 takes 149 digits after the
// point.
std::string exact_decimal(const Exact& x);

// The exact value as an integer times a power of two: "11*2^-2", "0", "-inf".
std::string exact_dyadic(const Exact& x);

// The decimal expansion where it is short enough to read, else the power of two.
std::string readable(const Exact& x);

enum class CodeClass : std::uint8_t { zero, subnormal, normal, infinity, nan };
std::string_view name_of(CodeClass c);

// One code taken apart.
struct CodeFields {
  std::uint32_t code;
  std::uint32_t sign;            // 0 in a format without sign
  std::uint32_t exponent_field;  // biased, as stored
  std::uint32_t mantissa_field;
  CodeClass code_class;
  Exact value;
};
// Precondition: the code is no wider than the format.
CodeFields fields_of(const FormatSpec& f, std::uint32_t code);

// "0x43 = 0b0'1000'011, sign 0, exponent field 8, mantissa field 3, normal, 2.75"
std::string describe_code(const FormatSpec& f, std::uint32_t code);

// "0x7e (448)": a code as it stands in a message, with as many digits as the format has nibbles.
std::string code_and_value(const FormatSpec& f, std::uint32_t code);
std::string hex_code(const FormatSpec& f, std::uint32_t code);

// The finite codes next to x on either side: the largest at most x and the smallest at least x, by
// value. Both are the same code where x is a value of f; one is missing beyond the range. Of the
// two zeros the one with x's sign is named. Precondition: x is not a NaN.
struct Neighbours {
  std::optional<std::uint32_t> at_most;
  std::optional<std::uint32_t> at_least;
};
Neighbours neighbours_of(const FormatSpec& f, const Exact& x);

// "3.25 lies between 0x44 (3) and 0x45 (3.25)..." in one line: input, neighbours, step taken, code.
[[nodiscard]] Result<std::string> describe_rounding(const FormatSpec& f, const Exact& x,
                                                    const Rounding& rounding, Overflow overflow,
                                                    const SpecialInputs& special);

}  // namespace oracle
