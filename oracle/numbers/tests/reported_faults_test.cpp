// Inputs on which public FP4 and FP8 code has gone wrong, with the byte that is right and the one
// that was reported. The arithmetic ones only; each names the class of fault.

#include <gtest/gtest.h>

#include <vector>

#include "oracle/numbers/packed.hpp"
#include "oracle/numbers/tests/formats_under_test.hpp"

namespace oracle {
namespace {

enum class Page { nvfp4, mxfp4 };

struct Dequantized {
  const char* id;
  const char* fault;
  Page page;
  std::uint32_t code;
  std::uint32_t scale;
  std::uint32_t right;
  std::uint32_t reported;
};

const std::vector<Dequantized> dequantized{
    {"A01.1", "enc-top-binade-saturates", Page::nvfp4, 0x2, 0x78, 0x78, 0x7e},
    {"A01.2", "enc-top-binade-saturates", Page::mxfp4, 0x2, 0x87, 0x78, 0x7e},
    {"A02.1", "enc-finite-overflow-to-nan", Page::nvfp4, 0x3, 0x7a, 0x7e, 0x7f},
    {"A02.3", "enc-finite-overflow-to-nan", Page::mxfp4, 0x2, 0x88, 0x7e, 0x7f},
    {"A04.1", "enc-truncates", Page::nvfp4, 0x3, 0x39, 0x3e, 0x3d},
    {"A05.1", "enc-ties-away", Page::nvfp4, 0x3, 0x3e, 0x42, 0x43},
    {"A05.2", "enc-ties-away", Page::nvfp4, 0x1, 0x01, 0x00, 0x01},
    {"A05.3", "enc-ties-away", Page::mxfp4, 0x2, 0x75, 0x00, 0x01},
    {"A07.2", "enc-subnormal-flush", Page::mxfp4, 0x2, 0x76, 0x01, 0x00},
    {"A08.1", "enc-subnormal-wrong-quantum", Page::nvfp4, 0x7, 0x01, 0x06, 0x03},
    {"A08.2", "enc-subnormal-wrong-quantum", Page::mxfp4, 0x7, 0x76, 0x06, 0x03},
    {"A11.1", "enc-negative-zero-lost", Page::nvfp4, 0x8, 0x38, 0x80, 0x00},
    {"A11.2", "enc-negative-zero-lost", Page::nvfp4, 0x9, 0x01, 0x80, 0x00},
    {"A11.3", "enc-negative-zero-lost", Page::mxfp4, 0x8, 0x7f, 0x80, 0x00},
    {"A12.2", "enc-nan-swallowed-by-clamp", Page::nvfp4, 0x2, 0x7f, 0x7f, 0x7e},
    {"A12.3", "enc-nan-swallowed-by-clamp", Page::mxfp4, 0x2, 0xff, 0x7f, 0xfe},
    {"A13.1", "f32-overflow-inf-to-nan", Page::mxfp4, 0x4, 0xfe, 0x7e, 0x7f},
    {"A16.1", "element-subnormal-as-normal", Page::nvfp4, 0x0, 0x38, 0x00, 0x30},
    {"A16.3", "element-subnormal-as-normal", Page::mxfp4, 0x0, 0x7f, 0x00, 0x30},
    {"A17.1", "element-table-doubled", Page::nvfp4, 0x2, 0x38, 0x38, 0x40},
    {"A17.2", "element-table-doubled", Page::mxfp4, 0x2, 0x7f, 0x38, 0x40},
    {"A20", "tensor-scale-dropped-or-added", Page::nvfp4, 0x2, 0x38, 0x38, 0x30},
    {"A21.1", "zero-code-short-circuit", Page::nvfp4, 0x0, 0x7f, 0x7f, 0x00},
    {"A21.2", "zero-code-short-circuit", Page::mxfp4, 0x0, 0xff, 0x7f, 0x00},
    {"S01.2", "e4m3-scale-subnormal-implicit-one", Page::nvfp4, 0x2, 0x07, 0x07, 0x08},
    {"S02", "e4m3-scale-zero-not-zero", Page::nvfp4, 0x7, 0x00, 0x00, 0x14},
    {"S03", "e4m3-scale-subnormal-flushed", Page::nvfp4, 0x7, 0x07, 0x1a, 0x00},
    {"S04.2", "e4m3-scale-nan-reads-480", Page::nvfp4, 0x1, 0xff, 0x7f, 0xf7},
    {"S04.3", "e4m3-scale-nan-reads-480", Page::nvfp4, 0x0, 0x7f, 0x7f, 0x00},
    {"S05.1", "e4m3-scale-top-binade-is-nan", Page::nvfp4, 0x2, 0x78, 0x78, 0x7f},
    {"S07", "nan-sign", Page::nvfp4, 0x2, 0xff, 0x7f, 0xff},
    {"S08.1", "e4m3-scale-sign-ignored", Page::nvfp4, 0x2, 0xb8, 0xb8, 0x38},
    {"S08.2", "e4m3-scale-sign-ignored", Page::nvfp4, 0x2, 0x80, 0x80, 0x00},
    {"S10.2", "scale-byte-used-as-integer", Page::mxfp4, 0x2, 0x7f, 0x38, 0x70},
    {"S11.1", "scale-format-confused", Page::nvfp4, 0x2, 0x38, 0x38, 0x00},
    {"S11.2", "scale-format-confused", Page::mxfp4, 0x2, 0x7f, 0x38, 0x7f},
    {"S13", "e8m0-nan-becomes-inf", Page::mxfp4, 0x2, 0xff, 0x7f, 0x7e},
    {"S15.1", "e8m0-nan-ignored", Page::mxfp4, 0x0, 0xff, 0x7f, 0x00},
    {"S15.2", "e8m0-nan-ignored", Page::mxfp4, 0x2, 0xff, 0x7f, 0x7e},
    {"S18.1", "e8m0-integer-shift", Page::mxfp4, 0x2, 0x80, 0x40, 0x38},
    {"S18.2", "e8m0-integer-shift", Page::mxfp4, 0x2, 0x7f, 0x38, 0xfe},
    {"S20", "e8m0-bias-off-by-one", Page::mxfp4, 0x2, 0x7f, 0x38, 0x30},
    {"S22.2", "scale-rounded-to-power-of-two", Page::nvfp4, 0x2, 0x3d, 0x3d, 0x40},
    {"X01.2", "fnuz-output", Page::nvfp4, 0x8, 0x38, 0x80, 0x00},
    {"X01.3", "fnuz-output", Page::nvfp4, 0x2, 0x7e, 0x7e, 0x7f},
    {"X01.4", "fnuz-output", Page::mxfp4, 0x2, 0x7f, 0x38, 0x40},
    {"X02.2", "fnuz-scale-decode", Page::nvfp4, 0x2, 0x80, 0x80, 0x7f},
    {"X02.3", "fnuz-scale-decode", Page::nvfp4, 0x1, 0x7f, 0x7f, 0x6f},
    {"X04.1", "packed-convert-does-not-saturate", Page::nvfp4, 0x7, 0x6a, 0x7e, 0x7f},
    {"X08.1", "unsupported-arch-stub-returns-zero", Page::nvfp4, 0x2, 0x38, 0x38, 0x00},
};

TEST(ReportedFaultsTest, DequantizedBytesAreRight) {
  for (const Dequantized& c : dequantized) {
    const Exact scale = c.page == Page::nvfp4 ? decode<e4m3>(c.scale) : decode<e8m0>(c.scale);
    const Exact value = multiply(decode<e2m1>(c.code), scale);
    const std::uint32_t got = encode<e4m3>(value, Round::rne, Overflow::satfinite, strict).value();
    EXPECT_EQ(got, c.right) << c.id << " " << c.fault;
    EXPECT_NE(got, c.reported) << c.id << " " << c.fault;
    if (c.page == Page::nvfp4) {
      EXPECT_EQ(qmul4(static_cast<std::uint16_t>(c.code), c.scale, ocp_packed) & 0xff, c.right)
          << c.id << " " << c.fault;
    }
  }
}

struct Encoded {
  const char* id;
  const char* fault;
  FormatSpec format;
  std::uint32_t f32_bits;
  std::uint32_t right;
  std::uint32_t reported;
};

const std::vector<Encoded> encoded{
    {"A02.4", "enc-finite-overflow-to-nan", e4m3::spec, 0x43e88001, 0x7e, 0x7f},
    {"A10", "enc-normal-carry-lost", e4m3::spec, 0x3ff9999a, 0x40, 0x38},
    {"A14.1", "double-rounding", e4m3::spec, 0x3f880001, 0x39, 0x38},
    {"A14.2", "double-rounding", e4m3::spec, 0x3fa88000, 0x3b, 0x3a},
    {"Q01.1", "e2m1-ties-away", e2m1::spec, 0x3e800000, 0x0, 0x1},
    {"Q01.2", "e2m1-ties-away", e2m1::spec, 0x3fa00000, 0x2, 0x3},
    {"Q01.3", "e2m1-ties-away", e2m1::spec, 0x40200000, 0x4, 0x5},
    {"Q01.4", "e2m1-ties-away", e2m1::spec, 0x40a00000, 0x6, 0x7},
    {"Q03", "e2m1-carry-saturates", e2m1::spec, 0x40700000, 0x6, 0x7},
};

TEST(ReportedFaultsTest, EncodedCodesAreRight) {
  for (const Encoded& c : encoded) {
    const std::uint32_t got =
        encode(c.format, decode<f32>(c.f32_bits), Round::rne, Overflow::satfinite, strict).value();
    EXPECT_EQ(got, c.right) << c.id << " " << c.fault;
    EXPECT_NE(got, c.reported) << c.id << " " << c.fault;
  }
}

TEST(ReportedFaultsTest, StochasticOverflowSaturates) {  // Q19
  EXPECT_EQ(
      encode<e4m3>(Exact::integer(449), stochastic({0xffffffff, 32}), Overflow::satfinite, strict)
          .value(),
      0x7eU);
}

TEST(ReportedFaultsTest, ScaleByteZeroIsNotFlushed) {  // X07, S12
  EXPECT_EQ(encode<f32>(decode<e8m0>(0x00), Round::rne, Overflow::to_inf, strict).value(),
            0x00400000U);
}

TEST(ReportedFaultsTest, JustAboveAPowerOfTwoRoundsUp) {  // Q07
  EXPECT_EQ(encode<e8m0>(decode<f32>(0x41800001), Round::rtp, Overflow::satfinite, strict).value(),
            0x84U);
}

}  // namespace
}  // namespace oracle
