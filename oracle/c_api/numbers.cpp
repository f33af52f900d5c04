// Codes and values of every format, and packed arithmetic.
#include <bit>
#include <cstring>
#include <optional>
#include <string>

#include "oracle/c_api/handle.hpp"
#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/packed.hpp"

namespace oracle::c_api {
namespace {

constexpr int f64_mantissa_bits = 52;
constexpr int f64_bias = 1023;
constexpr std::uint64_t f64_mantissa_mask = (std::uint64_t{1} << f64_mantissa_bits) - 1;
constexpr std::uint64_t f64_exponent_ones = 0x7ff;

// The double of a value with at most 53 significant bits in the range of normal doubles, which the
// values of all formats are (2^-149 .. 2^128). By integers: the host's floating point has no part.
double to_f64(const Exact& x) {
  const std::uint64_t sign = std::uint64_t{x.negative()} << 63;
  std::uint64_t magnitude = 0;
  if (x.is_nan()) {
    magnitude = (f64_exponent_ones << f64_mantissa_bits) | (std::uint64_t{1} << 51);
  } else if (x.is_infinity()) {
    magnitude = f64_exponent_ones << f64_mantissa_bits;
  } else if (x.is_finite_nonzero()) {
    const int exponent = x.log2_floor();
    const std::uint64_t fraction =
        (x.significand() << (f64_mantissa_bits - (x.significant_bits() - 1))) & f64_mantissa_mask;
    magnitude = (static_cast<std::uint64_t>(exponent + f64_bias) << f64_mantissa_bits) | fraction;
  }
  return std::bit_cast<double>(sign | magnitude);
}

Exact from_f64(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const bool negative = (bits >> 63) != 0;
  const std::uint64_t field = (bits >> f64_mantissa_bits) & f64_exponent_ones;
  const std::uint64_t mantissa = bits & f64_mantissa_mask;
  if (field == f64_exponent_ones) {
    return mantissa != 0 ? Exact::nan(negative) : Exact::infinity(negative);
  }
  const std::uint64_t hidden = field == 0 ? 0 : std::uint64_t{1} << f64_mantissa_bits;
  const int exponent = static_cast<int>(field == 0 ? 1 : field) - f64_bias - f64_mantissa_bits;
  return Exact::finite(negative, mantissa | hidden, exponent);
}

int code_bytes(const FormatSpec& format) {
  const int bits = format.sign_bits + format.exponent_bits + format.mantissa_bits;
  if (bits <= 8) return 1;
  return bits <= 16 ? 2 : 4;
}

std::uint32_t load_code(const void* codes, std::int64_t index, int bytes) {
  std::uint32_t code = 0;
  std::memcpy(&code, static_cast<const std::uint8_t*>(codes) + index * bytes,
              static_cast<std::size_t>(bytes));
  return code;
}

void store_code(void* codes, std::int64_t index, int bytes, std::uint32_t code) {
  std::memcpy(static_cast<std::uint8_t*>(codes) + index * bytes, &code,
              static_cast<std::size_t>(bytes));
}

Error at_element(Error error, std::int64_t index) {
  error.message = "element " + std::to_string(index) + ": " + error.message;
  return error;
}

Result<Exact> decoded(const FormatSpec& format, const void* codes, std::int64_t index) {
  const std::uint32_t code = load_code(codes, index, code_bytes(format));
  if ((code & ~code_mask(format)) != 0) {
    return fail(ErrorCode::out_of_range,
                "decode " + std::string(format.name) + ": element " + std::to_string(index) +
                    ": expected no bits above the code's, got " + std::to_string(code));
  }
  return decode(format, code);
}

Result<FormatSpec> format_named(const char* name) {
  return find_format(name != nullptr ? name : "");
}

std::optional<Round> round_named(std::string_view word) {
  if (word == "rne") return Round::rne;
  if (word == "rna") return Round::rna;
  if (word == "rtz") return Round::rtz;
  if (word == "rtp") return Round::rtp;
  if (word == "rtn") return Round::rtn;
  if (word == "rs") return Round::rs;
  return std::nullopt;
}

std::optional<Overflow> overflow_named(std::string_view word) {
  if (word == "satfinite") return Overflow::satfinite;
  if (word == "to_inf") return Overflow::to_inf;
  if (word == "to_nan") return Overflow::to_nan;
  return std::nullopt;
}

// What an encoding says, read once for all elements.
struct Policy {
  Round mode;
  Overflow overflow;
  SpecialInputs special;
  const std::uint32_t* random_bits;
  int random_width;

  Rounding rounding(std::int64_t index) const {
    return mode == Round::rs ? stochastic({random_bits[index], random_width}) : Rounding(mode);
  }
};

Result<Policy> policy_of(const fp4cts_oracle_encoding* e) {
  if (e == nullptr || e->struct_bytes != sizeof *e) {
    return fail(ErrorCode::invalid_argument,
                "encoding: expected struct_bytes " + std::to_string(sizeof *e) + ", got " +
                    (e == nullptr ? "null" : std::to_string(e->struct_bytes)));
  }
  const std::string mode = e->rounding != nullptr ? e->rounding : "";
  const std::string overflow = e->overflow != nullptr ? e->overflow : "";
  if (!round_named(mode)) {
    return fail(ErrorCode::unknown_name,
                "rounding: expected one of rne, rna, rtz, rtp, rtn, rs; got '" + mode + "'");
  }
  if (!overflow_named(overflow)) {
    return fail(ErrorCode::unknown_name,
                "overflow: expected one of satfinite, to_inf, to_nan; got '" + overflow + "'");
  }
  const bool stochastic_mode = *round_named(mode) == Round::rs;
  if (stochastic_mode != (e->random_bits != nullptr)) {
    return fail(ErrorCode::invalid_argument,
                stochastic_mode ? "rounding rs: random_bits is null"
                                : "random_bits: expected null for rounding " + mode);
  }
  Policy policy{*round_named(mode), *overflow_named(overflow), {}, e->random_bits, e->random_width};
  if (e->has_nan_code != 0) policy.special.nan_code = e->nan_code;
  policy.special.keep_nan_sign = e->keep_nan_sign != 0;
  policy.special.keep_overflow_sign = e->keep_overflow_sign != 0;
  policy.special.negative_by_magnitude = e->negative_by_magnitude != 0;
  policy.special.tiny_to_smallest = e->tiny_to_smallest != 0;
  return policy;
}

// codes[i] = value_at(i) in the format.
template <class ValueAt>
Result<void> encode_all(const FormatSpec& format, const Policy& policy, std::int64_t count,
                        void* codes, ValueAt value_at) {
  const int bytes = code_bytes(format);
  for (std::int64_t i = 0; i < count; ++i) {
    const Result<Exact> value = value_at(i);
    if (!value) return tl::make_unexpected(value.error());
    const Result<std::uint32_t> code =
        encode(format, *value, policy.rounding(i), policy.overflow, policy.special);
    if (!code) return tl::make_unexpected(at_element(code.error(), i));
    store_code(codes, i, bytes, *code);
  }
  return {};
}

}  // namespace
}  // namespace oracle::c_api

using namespace oracle;
using namespace oracle::c_api;

extern "C" {

int32_t fp4cts_oracle_code_bytes(const char* format) {
  const Result<FormatSpec> found = format_named(format);
  return found ? code_bytes(*found) : 0;
}

fp4cts_oracle_status fp4cts_oracle_decode(const char* format, int64_t count, const void* codes,
                                          double* values) {
  return guarded([&]() -> Result<void> {
    const Result<FormatSpec> found = format_named(format);
    if (!found) return tl::make_unexpected(found.error());
    if (auto arrays = check_arrays("decode", count, {{"codes", codes}, {"values", values}});
        !arrays) {
      return arrays;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const Result<Exact> value = decoded(*found, codes, i);
      if (!value) return tl::make_unexpected(value.error());
      values[i] = to_f64(*value);
    }
    return {};
  });
}

fp4cts_oracle_status fp4cts_oracle_encode(const char* format,
                                          const fp4cts_oracle_encoding* encoding, int64_t count,
                                          const double* values, void* codes) {
  return guarded([&]() -> Result<void> {
    const Result<FormatSpec> found = format_named(format);
    if (!found) return tl::make_unexpected(found.error());
    const Result<Policy> policy = policy_of(encoding);
    if (!policy) return tl::make_unexpected(policy.error());
    if (auto arrays = check_arrays("encode", count, {{"values", values}, {"codes", codes}});
        !arrays) {
      return arrays;
    }
    return encode_all(*found, *policy, count, codes,
                      [&](std::int64_t i) -> Result<Exact> { return from_f64(values[i]); });
  });
}

fp4cts_oracle_status fp4cts_oracle_convert(const char* from, const char* to,
                                           const fp4cts_oracle_encoding* encoding, int64_t count,
                                           const void* from_codes, void* to_codes) {
  return guarded([&]() -> Result<void> {
    const Result<FormatSpec> source = format_named(from);
    if (!source) return tl::make_unexpected(source.error());
    const Result<FormatSpec> destination = format_named(to);
    if (!destination) return tl::make_unexpected(destination.error());
    const Result<Policy> policy = policy_of(encoding);
    if (!policy) return tl::make_unexpected(policy.error());
    if (auto arrays =
            check_arrays("convert", count, {{"from_codes", from_codes}, {"to_codes", to_codes}});
        !arrays) {
      return arrays;
    }
    return encode_all(*destination, *policy, count, to_codes,
                      [&](std::int64_t i) { return decoded(*source, from_codes, i); });
  });
}

fp4cts_oracle_status fp4cts_oracle_packed(const char* instruction, int64_t count, const uint32_t* a,
                                          const uint32_t* b, const uint32_t* c, uint32_t* d) {
  return guarded([&]() -> Result<void> {
    const auto parsed = parse_packed_instruction(instruction != nullptr ? instruction : "");
    if (!parsed) return tl::make_unexpected(parsed.error());
    if (auto arrays = check_arrays("packed", count, {{"a", a}, {"b", b}, {"d", d}}); !arrays) {
      return arrays;
    }
    if (parsed->op == PackedOp::fma) {
      if (auto third = check_arrays("packed", count, {{"c", c}}); !third) return third;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const auto word = evaluate(*parsed, a[i], b[i], c != nullptr ? c[i] : 0, ocp_packed);
      if (!word) return tl::make_unexpected(at_element(word.error(), i));
      d[i] = *word;
    }
    return {};
  });
}

}  // extern "C"
