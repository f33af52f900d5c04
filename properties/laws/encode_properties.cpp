// Laws of decode and encode, in every format. A failure prints its seed and the smallest value that
// RapidCheck finds.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <vector>

#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/numbers/formats.hpp"

namespace oracle {
namespace {

const FormatSpec& any_signed_format() {
  const auto formats = *rc::gen::elementOf(std::vector<const FormatSpec*>{
      &e2m1::spec, &e2m3::spec, &e3m2::spec, &e4m3::spec, &e5m2::spec, &f16::spec, &bf16::spec});
  return *formats;
}

Round any_mode() {
  return *rc::gen::element(Round::rne, Round::rna, Round::rtz, Round::rtp, Round::rtn);
}

// A finite value whose exponent favours what the format holds, its edges and what lies just beyond.
Exact any_value(const FormatSpec& format) {
  const int lowest = min_exponent(format) - format.mantissa_bits - 3;
  const int highest = max_exponent(format) + 3;
  const auto significand = *rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 24);
  const int exponent = *rc::gen::inRange(lowest, highest);
  const int width = 63 - std::countl_zero(significand);
  return Exact::finite(*rc::gen::arbitrary<bool>(), significand, exponent - width);
}

std::uint32_t encoded(const FormatSpec& format, const Exact& value, Round mode) {
  const auto code = encode(format, value, mode, Overflow::satfinite, strict);
  RC_ASSERT((code.has_value()));
  return *code;
}

RC_GTEST_PROP(EncodeProperties, EncodeOfDecodeIsIdentity, ()) {
  const FormatSpec& format = any_signed_format();
  const auto code =
      static_cast<std::uint32_t>(*rc::gen::inRange<std::uint64_t>(0, num_codes(format)));
  RC_PRE((!is_nan(format, code) && !is_infinity(format, code)));
  RC_ASSERT((encoded(format, decode(format, code), any_mode()) == code));
}

RC_GTEST_PROP(EncodeProperties, EncodeIsMonotone, ()) {
  const FormatSpec& format = any_signed_format();
  const Round mode = any_mode();
  const Exact x = any_value(format);
  const Exact y = any_value(format);
  RC_PRE((x <= y));
  RC_ASSERT((decode(format, encoded(format, x, mode)) <= decode(format, encoded(format, y, mode))));
}

RC_GTEST_PROP(EncodeProperties, EncodeIsSymmetric, ()) {
  const FormatSpec& format = any_signed_format();
  const Round mode = *rc::gen::element(Round::rne, Round::rna, Round::rtz);
  const Exact x = any_value(format);
  RC_ASSERT((encoded(format, negate(x), mode) == (encoded(format, x, mode) ^ sign_mask(format))));
}

RC_GTEST_PROP(EncodeProperties, DirectedModesBracketTheValue, ()) {
  const FormatSpec& format = any_signed_format();
  const Exact x = any_value(format);
  RC_PRE((compare_magnitude(x, max_finite(format)) <= 0));
  RC_ASSERT((decode(format, encoded(format, x, Round::rtn)) <= x));
  RC_ASSERT((x <= decode(format, encoded(format, x, Round::rtp))));
}

// Away from the subnormals and from the largest value a power of two moves the exponent alone.
RC_GTEST_PROP(EncodeProperties, ScalingByTwoCommutesWithRounding, ()) {
  const FormatSpec& format = any_signed_format();
  const Round mode = any_mode();
  const Exact x = any_value(format);
  RC_PRE((x.log2_floor() >= min_exponent(format)));
  RC_PRE((x.log2_floor() + 2 < max_exponent(format)));
  const Exact once = decode(format, encoded(format, x, mode));
  const Exact twice = decode(format, encoded(format, scale_by_power_of_two(x, 1), mode));
  RC_ASSERT((twice == scale_by_power_of_two(once, 1)));
}

}  // namespace
}  // namespace oracle
