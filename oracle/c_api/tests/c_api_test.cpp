// The C functions of numbers, blocks and profiles give what the C++ ones give, over whole domains,
// and say what is wrong with their arguments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "fp4cts/oracle.h"
#include "oracle/blocks/block_scale.hpp"
#include "oracle/c_api/tests/open_profile.hpp"
#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/packed.hpp"
#include "oracle/pages/product.hpp"

namespace oracle {
namespace {

using testing::HasSubstr;

fp4cts_oracle_encoding encoding(const char* rounding, const char* overflow) {
  fp4cts_oracle_encoding e{};
  e.struct_bytes = sizeof e;
  e.rounding = rounding;
  e.overflow = overflow;
  return e;
}

// The value of a double, told by the host's own functions: a second way to take it apart.
Exact exact_of(double value) {
  if (std::isnan(value)) return Exact::nan(std::signbit(value));
  if (std::isinf(value)) return Exact::infinity(std::signbit(value));
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  return Exact::finite(std::signbit(value), static_cast<std::uint64_t>(std::ldexp(fraction, 53)),
                       exponent - 53);
}

TEST(CNumbersTest, DecodeGivesTheExactValueOfEveryCodeOfEveryByteFormat) {
  for (const FormatSpec& f : all_formats) {
    if (num_codes(f) > 256) continue;
    std::vector<std::uint8_t> codes(num_codes(f));
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint8_t>(i);
    std::vector<double> values(codes.size());
    ASSERT_EQ(fp4cts_oracle_code_bytes(std::string(f.name).c_str()), 1) << f.name;
    ASSERT_EQ(
        fp4cts_oracle_decode(std::string(f.name).c_str(), static_cast<std::int64_t>(codes.size()),
                             codes.data(), values.data()),
        FP4CTS_ORACLE_OK);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      EXPECT_TRUE(identical(exact_of(values[i]), decode(f, codes[i]))) << f.name << " code " << i;
    }
  }
}

TEST(CNumbersTest, EncodeOfDecodeGivesEveryHalfAndBfloatBack) {
  for (const char* format : {"f16", "bf16"}) {
    ASSERT_EQ(fp4cts_oracle_code_bytes(format), 2);
    std::vector<std::uint16_t> codes(1 << 16);
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint16_t>(i);
    std::vector<double> values(codes.size());
    const auto count = static_cast<std::int64_t>(codes.size());
    ASSERT_EQ(fp4cts_oracle_decode(format, count, codes.data(), values.data()), FP4CTS_ORACLE_OK);
    std::vector<std::uint16_t> back(codes.size());
    const fp4cts_oracle_encoding e = encoding("rne", "to_inf");
    ASSERT_EQ(fp4cts_oracle_encode(format, &e, count, values.data(), back.data()),
              FP4CTS_ORACLE_OK);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (std::isnan(values[i])) continue;
      EXPECT_EQ(back[i], codes[i]);
    }
  }
}

TEST(CNumbersTest, EncodeRoundsADoubleOnce) {
  // 17 and a bit lies above the midpoint of 16 and 18; by way of f32 it would be the midpoint.
  const std::vector<double> values{464,
                                   std::nextafter(464.0, 1e9),
                                   17,
                                   std::nextafter(17.0, 18.0),
                                   std::ldexp(1, -1074),
                                   -std::ldexp(3, -11)};
  std::vector<std::uint8_t> codes(values.size());
  const fp4cts_oracle_encoding e = encoding("rne", "to_nan");
  ASSERT_EQ(fp4cts_oracle_encode("e4m3", &e, 6, values.data(), codes.data()), FP4CTS_ORACLE_OK);
  EXPECT_THAT(codes, testing::ElementsAre(0x7e, 0x7f, 0x58, 0x59, 0x00, 0x81));
}

TEST(CNumbersTest, StochasticRoundingTakesItsBits) {
  const std::vector<double> values{17, 17};
  const std::vector<std::uint32_t> bits{0, 1};
  std::vector<std::uint8_t> codes(2);
  fp4cts_oracle_encoding e = encoding("rs", "satfinite");
  e.random_bits = bits.data();
  e.random_width = 1;
  ASSERT_EQ(fp4cts_oracle_encode("e4m3", &e, 2, values.data(), codes.data()), FP4CTS_ORACLE_OK);
  EXPECT_THAT(codes, testing::ElementsAre(0x58, 0x59));
}

TEST(CNumbersTest, ConvertOfEveryE5m2ToE4m3IsTheOraclesEncode) {
  std::vector<std::uint8_t> from(256);
  for (std::size_t i = 0; i < 256; ++i) from[i] = static_cast<std::uint8_t>(i);
  std::vector<std::uint8_t> to(256);
  fp4cts_oracle_encoding e = encoding("rtp", "satfinite");
  e.keep_nan_sign = 1;
  ASSERT_EQ(fp4cts_oracle_convert("e5m2", "e4m3", &e, 256, from.data(), to.data()),
            FP4CTS_ORACLE_OK);
  for (std::size_t i = 0; i < 256; ++i) {
    EXPECT_EQ(to[i], encode<e4m3>(decode<e5m2>(from[i]), Round::rtp, Overflow::satfinite,
                                  {.keep_nan_sign = true}));
  }
}

TEST(CNumbersTest, PackedArithmeticIsTheOracles) {
  const std::vector<std::uint32_t> a{0x1234, 0xffff};
  const std::vector<std::uint32_t> b{0x7f7e3801, 0x80b80048};
  std::vector<std::uint32_t> d(2);
  ASSERT_EQ(fp4cts_oracle_packed("mul.rn.satfinite.e4m3x4.e2m1x4.e4m3x4", 2, a.data(), b.data(),
                                 nullptr, d.data()),
            FP4CTS_ORACLE_OK);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(d[i], qmul4(static_cast<std::uint16_t>(a[i]), b[i], ocp_packed));
  }
}

TEST(CNumbersTest, ErrorsNameWhatIsWrong) {
  double value = 0;
  std::uint8_t code = 0x10;
  EXPECT_EQ(fp4cts_oracle_decode("e9m9", 1, &code, &value), FP4CTS_ORACLE_UNKNOWN_NAME);
  EXPECT_THAT(fp4cts_oracle_error(), HasSubstr("got 'e9m9'"));
  EXPECT_EQ(fp4cts_oracle_decode("e2m1", 1, &code, &value), FP4CTS_ORACLE_OUT_OF_RANGE);
  EXPECT_THAT(fp4cts_oracle_error(), HasSubstr("element 0"));
  EXPECT_EQ(fp4cts_oracle_decode("e2m1", 1, nullptr, &value), FP4CTS_ORACLE_INVALID_ARGUMENT);
  EXPECT_EQ(fp4cts_oracle_decode("e2m1", -1, &code, &value), FP4CTS_ORACLE_INVALID_ARGUMENT);

  fp4cts_oracle_encoding e = encoding("nearest", "satfinite");
  EXPECT_EQ(fp4cts_oracle_encode("e4m3", &e, 1, &value, &code), FP4CTS_ORACLE_UNKNOWN_NAME);
  EXPECT_THAT(fp4cts_oracle_error(), HasSubstr("expected one of rne"));
  e = encoding("rs", "satfinite");
  EXPECT_EQ(fp4cts_oracle_encode("e4m3", &e, 1, &value, &code), FP4CTS_ORACLE_INVALID_ARGUMENT);
  e = encoding("rne", "satfinite");
  value = std::nan("");
  EXPECT_EQ(fp4cts_oracle_encode("e2m1", &e, 1, &value, &code), FP4CTS_ORACLE_NOT_REPRESENTABLE);
  EXPECT_THAT(fp4cts_oracle_error(), HasSubstr("element 0: encode e2m1"));
  e.struct_bytes = 1;
  EXPECT_EQ(fp4cts_oracle_encode("e4m3", &e, 1, &value, &code), FP4CTS_ORACLE_INVALID_ARGUMENT);
}

TEST(CBlocksTest, MultiplyIsTheExactProductOfAllPairsInEveryProfile) {
  std::vector<std::uint8_t> codes(4096);
  std::vector<std::uint8_t> scales(4096);
  for (std::size_t i = 0; i < 4096; ++i) {
    codes[i] = static_cast<std::uint8_t>(i % 16);
    scales[i] = static_cast<std::uint8_t>(i / 16);
  }
  for (const Profile* profile : profiles::shipped()) {
    const OpenProfile open(profile->name.c_str());
    for (const FormatSpec& format : {e4m3::spec, e8m0::spec}) {
      std::vector<std::uint32_t> out(4096);
      ASSERT_EQ(
          fp4cts_oracle_multiply(open.get(), format == e4m3::spec ? "e4m3" : "e8m0",
                                 FP4CTS_ORACLE_F32, 4096, codes.data(), scales.data(), out.data()),
          FP4CTS_ORACLE_OK);
      for (std::size_t i = 0; i < 4096; ++i) {
        ASSERT_EQ(out[i], decode_element(format, codes[i], scales[i], Dtype::f32, *profile));
      }
    }
  }
}

TEST(CBlocksTest, QuantizeFollowsTheWriterThatTheProfileNames) {
  OpenProfile open("ocp");
  const std::vector<float> row{0.1F, -0.2F, 5.0F, 3.1F};
  std::vector<std::uint32_t> bits;
  for (const float x : row) bits.push_back(std::bit_cast<std::uint32_t>(x));
  for (const char* mode : {"round_up", "floor"}) {
    ASSERT_EQ(fp4cts_oracle_profile_set(open.get(), "mxfp4_writer.mode", mode), FP4CTS_ORACLE_OK);
    std::vector<std::uint8_t> codes(2);
    std::uint8_t scale = 0;
    ASSERT_EQ(fp4cts_oracle_quantize(open.get(), "e8m0", FP4CTS_ORACLE_F32, 1, 4, row.data(),
                                     codes.data(), &scale),
              FP4CTS_ORACLE_OK);
    std::vector<std::uint8_t> expected(4);
    const Mxfp4Rule rule = std::string(mode) == "floor" ? mxfp4_ocp_floor : mxfp4_aiter;
    EXPECT_EQ(scale, quantize_block(bits, rule, expected));
    EXPECT_EQ(codes[0], expected[0] | expected[1] << 4);
    EXPECT_EQ(codes[1], expected[2] | expected[3] << 4);
  }
}

TEST(CProfileTest, AMemberIsSetByItsNameAndAWrongOneIsNamed) {
  OpenProfile open("ocp");
  const std::uint8_t code = 1;
  const std::uint8_t scale = 0x7f;
  std::uint8_t out = 0;
  ASSERT_EQ(fp4cts_oracle_multiply(open.get(), "e4m3", FP4CTS_ORACLE_E4M3, 1, &code, &scale, &out),
            FP4CTS_ORACLE_OK);
  EXPECT_EQ(out, 0x7f);
  ASSERT_EQ(fp4cts_oracle_profile_set(open.get(), "nan.e4m3", "ff"), FP4CTS_ORACLE_OK);
  ASSERT_EQ(fp4cts_oracle_multiply(open.get(), "e4m3", FP4CTS_ORACLE_E4M3, 1, &code, &scale, &out),
            FP4CTS_ORACLE_OK);
  EXPECT_EQ(out, 0xff);

  EXPECT_EQ(fp4cts_oracle_profile_set(open.get(), "nan.e4m3", "FF"), FP4CTS_ORACLE_UNKNOWN_NAME);
  EXPECT_THAT(fp4cts_oracle_error(), HasSubstr("2 hex digits"));
  EXPECT_EQ(fp4cts_oracle_profile_set(open.get(), "nan", "ff"), FP4CTS_ORACLE_UNKNOWN_NAME);
  EXPECT_EQ(fp4cts_oracle_profile_set(open.get(), "nan_sign.x", "y"), FP4CTS_ORACLE_UNKNOWN_NAME);
  EXPECT_EQ(fp4cts_oracle_profile_set(open.get(), "e8m0_00", "one"), FP4CTS_ORACLE_UNKNOWN_NAME);
  EXPECT_THAT(fp4cts_oracle_error(), HasSubstr("expected one of two_to_minus_127, zero"));
  fp4cts_oracle_profile* none = nullptr;
  EXPECT_EQ(fp4cts_oracle_profile_open("occ", &none), FP4CTS_ORACLE_UNKNOWN_NAME);
  EXPECT_THAT(fp4cts_oracle_error(), HasSubstr("deepgemm; got 'occ'"));
}

}  // namespace
}  // namespace oracle
