#include "harness/diagnosis/describe_value.hpp"

#include <fmt/format.h>

#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/describe.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/pages/product.hpp"

namespace harness {
namespace {

// 2^-127 has 90 digits after the point: a power of two says it better.
std::string short_value(const oracle::Exact& value) {
  const bool small = value.is_finite_nonzero() && value.log2_floor() < -20;
  const bool large = value.is_finite_nonzero() && value.log2_floor() > 40;
  return small || large ? oracle::exact_dyadic(value) : oracle::exact_decimal(value);
}

std::string code_text(const oracle::FormatSpec& spec, std::uint32_t code) {
  return fmt::format("{} ({})", oracle::hex_code(spec, code),
                     short_value(oracle::decode(spec, code)));
}

}  // namespace

std::string describe_result(const ArithmeticSetting& setting, std::uint32_t result) {
  return code_text(oracle::destination_format(setting.destination, *setting.profile), result);
}

std::string describe_product(const ArithmeticSetting& setting, std::uint8_t code,
                             std::uint8_t scale, Mismatch& mismatch) {
  const oracle::FormatSpec& result =
      oracle::destination_format(setting.destination, *setting.profile);
  const oracle::Exact factor = oracle::scale_value(setting.format, scale, *setting.profile);
  const std::string product =
      short_value(oracle::multiply(oracle::decode<oracle::e2m1>(code), factor));
  const std::string code_said = code_text(oracle::e2m1::spec, code);
  const std::string scale_said = fmt::format(
      "{} ({})",
      oracle::hex_code(oracle::scale_format_read(setting.format, *setting.profile), scale),
      short_value(factor));
  mismatch.site["code"] = code_said;
  mismatch.site["scale"] = scale_said;
  mismatch.site["product"] = product;
  mismatch.site["expected"] = oracle::describe_code(result, mismatch.expected);
  mismatch.site["actual"] = oracle::describe_code(result, mismatch.actual);
  return fmt::format("code {} x scale {} = {}: expected {}, got {}", code_said, scale_said, product,
                     code_text(result, mismatch.expected), code_text(result, mismatch.actual));
}

}  // namespace harness
