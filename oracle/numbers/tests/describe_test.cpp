#include "oracle/numbers/describe.hpp"

#include <gtest/gtest.h>

#include <set>

#include "oracle/numbers/tests/formats_under_test.hpp"

namespace oracle {
namespace {

TEST(DescribeTest, DecimalsAreExact) {
  EXPECT_EQ(exact_decimal(decode<e4m3>(0x43)), "2.75");
  EXPECT_EQ(exact_decimal(Exact::zero(true)), "-0");
  EXPECT_EQ(exact_decimal(Exact::integer(-448)), "-448");
  EXPECT_EQ(exact_decimal(Exact::finite(false, 3, 3)), "24");
  EXPECT_EQ(exact_decimal(Exact::power_of_two(-10)), "0.0009765625");
  EXPECT_EQ(exact_decimal(Exact::infinity(true)), "-inf");
  EXPECT_EQ(exact_decimal(Exact::nan(false)), "NaN");
  EXPECT_EQ(exact_decimal(max_finite(f32::spec)), "340282346638528859811704183484516925440");
  EXPECT_EQ(exact_decimal(min_positive(f32::spec)),
            "0."
            "00000000000000000000000000000000000000000000140129846432481707092372958328991613128026"
            "194187651577175706828388979108268586060148663818836212158203125");
  EXPECT_EQ(exact_decimal(Exact::finite(false, UINT64_MAX, 0)), "18446744073709551615");
}

TEST(DescribeTest, DyadicFormNamesSignificandAndExponent) {
  EXPECT_EQ(exact_dyadic(decode<e4m3>(0xc3)), "-11*2^-2");
  EXPECT_EQ(exact_dyadic(Exact::zero(false)), "0");
}

TEST(DescribeTest, CodesAreTakenApart) {
  EXPECT_EQ(describe_code(e4m3::spec, 0x43),
            "0x43 = 0b0'1000'011, sign 0, exponent field 8, mantissa field 3, normal, 2.75");
  EXPECT_EQ(describe_code(e8m0::spec, 0xff), "0xff = 0b11111111, exponent field 255, NaN, NaN");
  EXPECT_EQ(describe_code(e2m1::spec, 0x9),
            "0x9 = 0b1'00'1, sign 1, exponent field 0, mantissa field 1, subnormal, -0.5");
  EXPECT_EQ(code_and_value(e4m3::spec, 0x7e), "0x7e (448)");
  EXPECT_EQ(code_and_value(e5m2::spec, 0x01), "0x01 (0.0000152587890625)");
  EXPECT_EQ(code_and_value(f16::spec, 0x0001), "0x0001 (1*2^-24)");
  EXPECT_EQ(code_and_value(e8m0::spec, 0x00), "0x00 (1*2^-127)");
  EXPECT_EQ(fields_of(e5m2::spec, 0xfc).code_class, CodeClass::infinity);
  EXPECT_EQ(fields_of(e4m3::spec, 0x80).code_class, CodeClass::zero);
  EXPECT_EQ(fields_of(e8m0::spec, 0x00).code_class, CodeClass::normal);
}

TEST(DescribeTest, NeighboursEncloseTheValue) {
  for (const FormatSpec& f : {e2m1::spec, e4m3::spec, e4m3fnuz::spec, e5m2::spec, e8m0::spec}) {
    for (const std::uint32_t code : testing_support::positive_codes(f)) {
      for (const Exact& magnitude : testing_support::inputs_after(f, code)) {
        for (const bool negative : {false, true}) {
          if (negative && f.sign_bits == 0) continue;
          const Exact x = with_sign(magnitude, negative);
          const Neighbours n = neighbours_of(f, x);
          const auto inner = negative ? n.at_least : n.at_most;
          const auto outer = negative ? n.at_most : n.at_least;
          ASSERT_TRUE(inner) << exact_dyadic(x);
          ASSERT_EQ(abs(decode(f, *inner)), decode(f, code)) << f.name << exact_dyadic(x);
          if (magnitude == decode(f, code)) {
            ASSERT_EQ(inner, outer);
          } else if (code == max_finite_code(f)) {
            ASSERT_FALSE(outer);
          } else {
            ASSERT_EQ(abs(decode(f, outer.value())), decode(f, code + 1));
          }
        }
      }
    }
  }
}

TEST(DescribeTest, NeighboursEndWithTheRange) {
  EXPECT_FALSE(neighbours_of(e8m0::spec, Exact::zero(false)).at_most);
  EXPECT_EQ(neighbours_of(e8m0::spec, Exact::zero(false)).at_least, 0U);
  EXPECT_EQ(neighbours_of(e2m1::spec, Exact::infinity(true)).at_least, 0xfU);
  EXPECT_FALSE(neighbours_of(e2m1::spec, Exact::infinity(true)).at_most);
  EXPECT_EQ(neighbours_of(e2m1::spec, Exact::zero(true)).at_most, 0x8U);
  EXPECT_FALSE(neighbours_of(ue4m3::spec, Exact::integer(-1)).at_most);
}

TEST(DescribeTest, RoundingsAreToldInOneLine) {
  const auto line = [](const FormatSpec& f, const Exact& x) {
    return describe_rounding(f, x, Round::rne, Overflow::satfinite, strict).value();
  };
  EXPECT_EQ(line(e4m3::spec, multiply(decode<e2m1>(0xb), decode<e4m3>(0x43))),
            "-4.125 lies between 0xc9 (-4.5) and 0xc8 (-4); rne satfinite: down, gives 0xc8 (-4)");
  EXPECT_EQ(line(e2m1::spec, Exact::integer(3)),
            "3 is 0x5 (3); rne satfinite: exact, gives 0x5 (3)");
  EXPECT_EQ(
      line(e4m3::spec, Exact::integer(480)),
      "480 lies above the largest value 0x7e (448); rne satfinite: overflow, gives 0x7e (448)");
  EXPECT_EQ(line(e4m3::spec, Exact::nan(false)), "NaN; rne satfinite: NaN, gives 0x7f (NaN)");
  EXPECT_FALSE(
      describe_rounding(e2m1::spec, Exact::nan(false), Round::rne, Overflow::satfinite, strict));
}

TEST(DescribeTest, NamesParseBack) {
  for (const Round mode : {Round::rne, Round::rna, Round::rtz, Round::rtp, Round::rtn, Round::rs}) {
    EXPECT_EQ(find_round(name_of(mode)).value(), mode);
  }
  for (const Overflow overflow : testing_support::overflows) {
    EXPECT_EQ(find_overflow(name_of(overflow)).value(), overflow);
  }
  EXPECT_EQ(find_round("rn").error().message,
            "rounding: expected one of rne, rna, rtz, rtp, rtn, rs; got 'rn'");
}

}  // namespace
}  // namespace oracle
