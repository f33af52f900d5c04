// The operation `convert`: bytes by the documents, and its contract.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "harness/model/operation.hpp"
#include "harness/suite/operations/convert_spec.hpp"
#include "oracle/numbers/encode.hpp"

namespace harness {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const Operation& convert() { return *operation_named("convert"); }

std::uint32_t code_of(const char* from, const char* to, const std::string& x,
                      const oracle::Profile& profile = oracle::profiles::ocp()) {
  const json spec{{"from", from}, {"to", to}, {"contents", {{"kind", "values"}, {"x", {x}}}}};
  const Problem problem = convert().build(spec).value().front();
  std::uint32_t code = 0;
  const Outputs outputs = convert().expected(problem, profile).value();
  std::memcpy(&code, outputs[0].data(), outputs[0].size());
  return code;
}

// OCP OFP8 v1.0 and MX v1.0 for values; the PTX ISA's cvt for what they leave open.
TEST(Convert, GivesTheBytesOfTheDocuments) {
  EXPECT_EQ(code_of("F32", "F8_E5M2", "3f800000"), 0x3cU);  // 1
  EXPECT_EQ(code_of("F32", "F8_E5M2", "47600000"), 0x7bU);  // 57344, the largest
  EXPECT_EQ(code_of("F32", "F8_E5M2", "47700000"), 0x7bU);  // 61440, a tie with what is not there
  EXPECT_EQ(code_of("F32", "F8_E5M2", "ff800000"), 0xfbU);  // infinity saturates
  EXPECT_EQ(code_of("F32", "F8_E5M2", "ffc00000"), 0x7fU);  // NaN
  EXPECT_EQ(code_of("F32", "F8_E5M2", "37000000"), 0x00U);  // 2^-17, half the smallest: to even
  EXPECT_EQ(code_of("F32", "F8_E5M2", "37000001"), 0x01U);
  EXPECT_EQ(code_of("F16", "F8_E5M2", "3c80"), 0x3cU);  // 1.125, a tie: to even
  EXPECT_EQ(code_of("F16", "F8_E5M2", "3d80"), 0x3eU);  // 1.375, a tie: to even
  EXPECT_EQ(code_of("F32", "E2M1", "3e800000"), 0x0U);  // 0.25, half the smallest: to even
  EXPECT_EQ(code_of("F32", "E2M1", "3e800001"), 0x1U);
  EXPECT_EQ(code_of("BF16", "E2M1", "c0a0"), 0xeU);  // -5, a tie of 4 and 6: to even
  EXPECT_EQ(code_of("F32", "E2M1", "7f800000"), 0x7U);
  EXPECT_EQ(code_of("F32", "E2M1", "ffc00000"), 0x7U);  // NaN is +6
  EXPECT_EQ(code_of("F32", "E2M1", "80000000"), 0x8U);
  EXPECT_EQ(code_of("F8_E8M0", "F32", "00"), 0x00400000U);  // 2^-127
  EXPECT_EQ(code_of("F8_E8M0", "F32", "ff"), 0x7fc00000U);
  EXPECT_EQ(code_of("F8_E8M0", "F16", "66"), 0x0000U);  // 2^-25, half the smallest: to even
  EXPECT_EQ(code_of("F8_E8M0", "F16", "8f"), 0x7c00U);  // 2^16 is beyond f16
  EXPECT_EQ(code_of("F8_E8M0", "BF16", "fe"), 0x7f00U);
  EXPECT_EQ(code_of("F8_E5M2", "F16", "7c"), 0x7c00U);
  EXPECT_EQ(code_of("F8_E5M2", "F16", "fd"), 0x7e00U);
  EXPECT_EQ(code_of("F8_E4M3", "BF16", "81"), 0xbb00U);  // -2^-9
  EXPECT_EQ(code_of("E2M1", "F32", "0b"), 0xbfc00000U);  // -1.5
}

TEST(Convert, HonoursTheProfile) {
  EXPECT_EQ(code_of("F8_E8M0", "F32", "00", oracle::profiles::shift23()), 0U);
  EXPECT_EQ(code_of("F8_E8M0", "F32", "ff", oracle::profiles::shift23()), 0x7f800000U);
  EXPECT_EQ(code_of("F8_E4M3", "F32", "40", oracle::profiles::fnuz()), 0x3f800000U);
  EXPECT_EQ(code_of("F8_E5M2", "F16", "7e", oracle::profiles::cuda()), 0x7fffU);
}

TEST(Convert, HasEveryCastAndNoOther) {
  EXPECT_EQ(all_casts().size(), 21U);
  const auto refusal = [](const char* from, const char* to) {
    const json spec{{"from", from}, {"to", to}, {"count", 1}, {"contents", {{"kind", "edges"}}}};
    const auto built = convert().build(spec);
    return built ? "built" : built.error().message;
  };
  EXPECT_EQ(refusal("BF16", "E2M1"), "built");
  EXPECT_THAT(refusal("F32", "F16"), HasSubstr("F8_E8M0 to F32"));
  EXPECT_THAT(refusal("F32", "F16"), HasSubstr("; got F32 to F16"));
  EXPECT_THAT(refusal("F32", "F8_E8M0"), HasSubstr("; got F32 to F8_E8M0"));
  Problem problem =
      convert()
          .build({{"from", "E2M1"}, {"to", "F16"}, {"count", 4}, {"contents", {{"kind", "edges"}}}})
          .value()
          .front();
  EXPECT_TRUE(convert().validate(problem));
  problem.find("x")->dtype = DType::e4m3;
  problem.find("d")->dtype = DType::e4m3;
  problem.find("d")->storage.resize(4);
  EXPECT_EQ(convert().validate(problem).error().message,
            "convert: d: dtype: expected one that F8_E4M3 is converted to, got F8_E4M3");
}

TEST(Convert, NamesATruncation) {
  const Cast cast{DType::f32, DType::e5m2};
  const json spec{{"from", "F32"},
                  {"to", "F8_E5M2"},
                  {"count", cast_edges(cast).size()},
                  {"contents", {{"kind", "edges"}}}};
  const std::vector<Problem> calls = convert().build(spec).value();
  const Outputs expected = convert().expected(calls[0], oracle::profiles::ocp()).value();
  Outputs actual = expected;
  for (std::size_t i = 0; i < actual[0].size(); ++i) {
    const oracle::Exact value =
        cast_value(cast, bits_at(calls[0].tensors[0], i), oracle::profiles::ocp());
    actual[0][i] = static_cast<std::uint8_t>(
        oracle::encode(format_of(cast.to), value, oracle::Round::rtz, oracle::Overflow::satfinite,
                       oracle::SpecialInputs{.nan_code = 0x7f})
            .value());
  }
  const Diagnosis diagnosis = convert().diagnose(calls, oracle::profiles::ocp(), expected, actual);
  EXPECT_GT(diagnosis.mismatches, 100U);
  EXPECT_EQ(diagnosis.fault_class, "enc_truncates") << diagnosis.explanation;
  EXPECT_THAT(diagnosis.first.front().text, HasSubstr("f32_to_e5m2 element "));
}

}  // namespace
}  // namespace harness
