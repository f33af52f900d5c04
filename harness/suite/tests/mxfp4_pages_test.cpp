// The MXFP4 operations: which bytes go where with heads of any stride, what is refused, and the
// profile that wrong bytes match.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "harness/model/operation.hpp"
#include "oracle/pages/product.hpp"

namespace harness {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const Operation& gather() { return *operation_named("mxfp4_gather_pages"); }
const Operation& decode() { return *operation_named("mxfp4_decode_pages"); }
const oracle::Profile& ocp() { return oracle::profiles::ocp(); }

// Element (token, element) of `page`, by the oracle's product alone.
std::uint32_t product(const std::uint8_t* page, int token, int element, oracle::Dtype to) {
  const std::uint8_t codes = page[64 * token + element / 2];
  const auto code = static_cast<std::uint8_t>(element % 2 == 0 ? codes & 15 : codes >> 4);
  const std::uint8_t scale = page[8192 + 4 * token + element / 32];
  return oracle::decode_element(oracle::e8m0::spec, code, scale, to, ocp());
}

std::uint32_t bits_at(const std::vector<std::uint8_t>& bytes, std::size_t element,
                      std::size_t width) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, bytes.data() + element * width, width);
  return bits;
}

TEST(Mxfp4Pages, GatherTakesEachHeadOfEachPageToItsPlace) {
  const json spec{{"pool",
                   {{"pages", 3},
                    {"heads", 2},
                    {"head_stride_bytes", 8712},
                    {"stride_bytes", 17'440},
                    {"contents", {{"kind", "layout"}}}}},
                  {"calls", {{{"num_pages", {1, 1}}, {"ids", {{"pattern", "reversed"}}}}}},
                  {"output", {{"dtype", "BF16"}, {"gap_pages", 1}, {"fill", "5c"}}}};
  const Problem problem = gather().build(spec).value().front();
  EXPECT_EQ(problem.find("pages")->shape, (std::vector<std::int64_t>{3, 2, 8704}));
  EXPECT_EQ(problem.find("pages")->strides, (std::vector<std::int64_t>{17'440, 8712, 1}));
  EXPECT_EQ(problem.find("out")->shape, (std::vector<std::int64_t>{4, 2, 128, 128}));
  const Outputs outputs = gather().expected(problem, ocp()).value();
  const std::uint8_t* pool = problem.find("pages")->storage.data();
  for (std::size_t page = 0; page < 4; ++page) {
    for (std::size_t head = 0; head < 2; ++head) {
      for (int i = 0; i < 16384; ++i) {
        const std::size_t at = (page * 2 + head) * 16384 + static_cast<std::size_t>(i);
        const std::uint32_t actual = bits_at(outputs[0], at, 2);
        if (page % 2 == 1) {
          ASSERT_EQ(actual, 0x5c5cU);
          continue;
        }
        const std::uint8_t* from = pool + (page == 0 ? 2 : 1) * 17'440 + head * 8712;
        ASSERT_EQ(actual, product(from, i / 128, i % 128, oracle::Dtype::bf16));
      }
    }
  }
}

TEST(Mxfp4Pages, DecodeTakesAPoolWithoutHeadsAndHeadsOutermost) {
  const json headless{
      {"pool", {{"pages", 2}, {"heads", 0}, {"contents", {{"kind", "exhaustive"}}}}},
      {"output", {{"dtype", "F32"}}}};
  const Problem plain = decode().build(headless).value().front();
  EXPECT_EQ(plain.find("pages")->shape, (std::vector<std::int64_t>{2, 8704}));
  EXPECT_EQ(plain.find("out")->shape, (std::vector<std::int64_t>{2, 128, 128}));
  const Outputs of_plain = decode().expected(plain, ocp()).value();
  for (int i = 0; i < 2 * 16384; ++i) {
    const std::uint8_t* from = plain.find("pages")->storage.data() + i / 16384 * 8704;
    ASSERT_EQ(bits_at(of_plain[0], static_cast<std::size_t>(i), 4),
              product(from, i % 16384 / 128, i % 128, oracle::Dtype::f32));
  }

  const json outermost{{"pool",
                        {{"pages", 2},
                         {"heads", 3},
                         {"head_stride_bytes", 20'000},
                         {"stride_bytes", 8704},
                         {"contents", {{"kind", "layout"}}}}}};
  const Problem heads = decode().build(outermost).value().front();
  const Outputs of_heads = decode().expected(heads, ocp()).value();
  for (std::size_t slot = 0; slot < 6; ++slot) {
    const std::uint8_t* from =
        heads.find("pages")->storage.data() + slot / 3 * 8704 + slot % 3 * 20'000;
    for (int i = 0; i < 16384; ++i) {
      ASSERT_EQ(of_heads[0][slot * 16384 + static_cast<std::size_t>(i)],
                product(from, i / 128, i % 128, oracle::Dtype::e4m3));
    }
  }
}

TEST(Mxfp4Pages, SpecsThatNoCallHasAreRefused) {
  const json pool{{"pages", 2}, {"contents", {{"kind", "layout"}}}};
  const auto refusal = [](const Operation& operation, const json& spec) {
    const auto problems = operation.build(spec);
    EXPECT_FALSE(problems) << spec;
    return problems ? "" : problems.error().message;
  };
  json overlapping = pool;
  overlapping.update({{"heads", 2}, {"stride_bytes", 8704}});
  EXPECT_THAT(refusal(decode(), {{"pool", overlapping}}), HasSubstr("\"stride_bytes\": expected"));
  json biased = pool;
  biased["first_id"] = 7;
  EXPECT_THAT(refusal(decode(), {{"pool", biased}}),
              HasSubstr("\"first_id\": expected 0 for an operation without a block table, got 7"));
  EXPECT_THAT(refusal(decode(), {{"pool", pool}, {"output", {{"gap_pages", 1}}}}),
              HasSubstr("\"gap_pages\""));
  EXPECT_THAT(refusal(decode(), {{"pool", pool}, {"calls", json::array()}}),
              HasSubstr("\"calls\""));
  EXPECT_THAT(refusal(decode(), {{"pool", pool}, {"output", {{"dtype", "I32"}}}}),
              HasSubstr("expected one of F8_E4M3, F32, BF16, F16, got \"I32\""));
}

TEST(Mxfp4Pages, ContractsNameArgumentExpectedAndActual) {
  const json spec{{"pool", {{"pages", 2}, {"heads", 2}, {"contents", {{"kind", "layout"}}}}}};
  const Problem right = decode().build(spec).value().front();
  ASSERT_TRUE(decode().validate(right));
  const auto refusal = [&](const auto& change) {
    Problem wrong = right;
    change(wrong);
    const Status legal = decode().validate(wrong);
    EXPECT_FALSE(legal);
    return legal ? "" : legal.error().message;
  };
  EXPECT_THAT(refusal([](Problem& p) { p.find("pages")->dtype = DType::e4m3; }),
              HasSubstr("mxfp4_decode_pages: pages"));
  EXPECT_THAT(refusal([](Problem& p) { p.find("pages")->shape.back() = 9216; }), HasSubstr("8704"));
  EXPECT_THAT(refusal([](Problem& p) { p.find("pages")->strides.back() = 2; }), HasSubstr("pages"));
  EXPECT_THAT(refusal([](Problem& p) { p.find("out")->dtype = DType::i32; }), HasSubstr("out"));
  EXPECT_THAT(refusal([](Problem& p) { p.find("out")->shape[1] = 1; }), HasSubstr("out"));
  EXPECT_THAT(refusal([](Problem& p) { p.find("out")->strides[0] += 1; }), HasSubstr("out"));
  EXPECT_THAT(refusal([](Problem& p) { p.find("out")->storage.resize(9); }), HasSubstr("out"));
}

// The other way: a kernel that keeps `ocp`, judged by a profile whose NaN has a sign.
TEST(Mxfp4Pages, AMissingNanSignIsNamed) {
  oracle::Profile declared = ocp();
  declared.name = "mine";
  declared.nan_sign = oracle::NanSign::from_element;
  for (const char* dtype : {"F8_E4M3", "F32", "BF16", "F16"}) {
    const json spec{{"pool", {{"pages", 1}, {"contents", {{"kind", "exhaustive"}}}}},
                    {"output", {{"dtype", dtype}}}};
    const std::vector<Problem> problems = decode().build(spec).value();
    const Outputs expected = decode().expected(problems.front(), declared).value();
    const Outputs actual = decode().expected(problems.front(), ocp()).value();
    const Diagnosis diagnosis = decode().diagnose(problems, declared, expected, actual);
    EXPECT_EQ(diagnosis.fault_class, "nan_sign") << diagnosis.explanation;
    EXPECT_EQ(diagnosis.matching_profile, "ocp");
  }
}

struct Match {
  const oracle::Profile* wrote;
  const char* dtype;
};
class Mxfp4Profiles : public ::testing::TestWithParam<Match> {};

// Bytes that another shipped profile stands for are not only named: the profile is found.
TEST_P(Mxfp4Profiles, WrongBytesAreMatchedWithTheirProfile) {
  const json spec{{"pool", {{"pages", 1}, {"contents", {{"kind", "exhaustive"}}}}},
                  {"output", {{"dtype", GetParam().dtype}}}};
  const std::vector<Problem> problems = decode().build(spec).value();
  const Outputs expected = decode().expected(problems.front(), ocp()).value();
  const Outputs actual = decode().expected(problems.front(), *GetParam().wrote).value();
  ASSERT_NE(expected, actual);
  const Diagnosis diagnosis = decode().diagnose(problems, ocp(), expected, actual);
  EXPECT_EQ(diagnosis.matching_profile, GetParam().wrote->name);
}

INSTANTIATE_TEST_SUITE_P(All, Mxfp4Profiles,
                         ::testing::Values(Match{&oracle::profiles::cuda(), "F32"},
                                           Match{&oracle::profiles::cuda(), "BF16"},
                                           Match{&oracle::profiles::cuda(), "F16"},
                                           Match{&oracle::profiles::fnuz(), "F8_E4M3"},
                                           Match{&oracle::profiles::shift23(), "F8_E4M3"},
                                           Match{&oracle::profiles::shift23(), "F32"},
                                           Match{&oracle::profiles::shift23(), "BF16"},
                                           Match{&oracle::profiles::shift23(), "F16"}),
                         [](const ::testing::TestParamInfo<Match>& parameter) {
                           return parameter.param.wrote->name + "_" + parameter.param.dtype;
                         });

}  // namespace
}  // namespace harness
