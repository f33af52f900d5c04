// A name is right or it is not given: what must keep a class from being named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "harness/diagnosis/arithmetic_models.hpp"
#include "harness/diagnosis/hypothesis.hpp"
#include "harness/diagnosis/place_rules.hpp"

namespace harness {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Bytes = std::vector<std::uint8_t>;

// 16 right bytes of 0, of which the last 8 became 1.
struct HalfWrong {
  Bytes expected = Bytes(16, 0);
  Bytes actual = expected;
  HalfWrong() { std::fill(actual.begin() + 8, actual.end(), std::uint8_t{1}); }
  Judged judged() const { return {expected, actual, 1}; }
};

Diagnosis named_by(const Judged& judged, const std::vector<Hypothesis>& hypotheses,
                   const std::vector<Family>& families = {}) {
  const Sample sample = sample_of(judged);
  Naming naming(judged, sample);
  for (const Hypothesis& hypothesis : hypotheses) naming.consider(hypothesis);
  for (const Family& family : families) naming.add(family);
  Diagnosis diagnosis;
  naming.name(diagnosis, "a hint");
  return diagnosis;
}

TEST(Naming, NamesWhatAccountsForEveryElement) {
  const HalfWrong bytes;
  const Diagnosis diagnosis = named_by(
      bytes.judged(),
      {{"enc_truncates", "how", [](std::size_t i) { return Prediction::of(i < 8 ? 0 : 1); }}});
  EXPECT_EQ(diagnosis.fault_class, "enc_truncates");
  EXPECT_THAT(diagnosis.explanation, HasSubstr("explains 8 of 8 wrong bytes"));
}

TEST(Naming, AFaultThatWouldBreakOneRightByteIsRefuted) {
  const HalfWrong bytes;
  const Diagnosis diagnosis = named_by(
      bytes.judged(),
      {{"enc_truncates", "how", [](std::size_t i) { return Prediction::of(i < 7 ? 0 : 1); }}});
  EXPECT_EQ(diagnosis.fault_class, "");
  EXPECT_EQ(diagnosis.explanation, "a hint");
}

TEST(Naming, BytesFromUnknownMemorySpeakForNothing) {
  const HalfWrong bytes;
  const Diagnosis diagnosis =
      named_by(bytes.judged(), {{"page_stride_scaled_wrong", "how", [](std::size_t i) {
                                   return i < 8 ? Prediction::of(0) : Prediction::unknown();
                                 }}});
  EXPECT_EQ(diagnosis.fault_class, "");
  EXPECT_TRUE(diagnosis.same_bytes_classes.empty());
}

TEST(Naming, ThreeBytesAreTooFewForAName) {
  HalfWrong bytes;
  std::fill(bytes.actual.begin() + 11, bytes.actual.end(), std::uint8_t{0});
  const Hypothesis fits{"enc_truncates", "how",
                        [](std::size_t i) { return Prediction::of(i >= 8 && i < 11 ? 1 : 0); }};
  const Diagnosis diagnosis = named_by(bytes.judged(), {fits});
  EXPECT_EQ(diagnosis.fault_class, "");
  EXPECT_THAT(diagnosis.same_bytes_classes, ElementsAre("enc_truncates"));
  EXPECT_THAT(diagnosis.explanation, HasSubstr("do not tell"));
}

TEST(Naming, AFamilyIsNamedWithItsMapWhereItHasNoRival) {
  const HalfWrong bytes;
  const Family scales{"scale_from_elsewhere", "Every wrong byte has the scale of group g-1.", true};
  Diagnosis diagnosis = named_by(bytes.judged(), {}, {scales});
  EXPECT_EQ(diagnosis.fault_class, "scale_from_elsewhere");
  EXPECT_THAT(diagnosis.explanation, HasSubstr("the scale of group g-1. a hint"));

  diagnosis = named_by(bytes.judged(), {}, {scales, {"stored_elsewhere", "Another map.", false}});
  EXPECT_EQ(diagnosis.fault_class, "");
  EXPECT_THAT(diagnosis.explanation, HasSubstr("group g-1. Or: Another map."));

  diagnosis = named_by(bytes.judged(), {}, {{"stored_elsewhere", "By chance.", false}});
  EXPECT_EQ(diagnosis.explanation, "a hint");
}

TEST(PlaceRules, AreMapsOfACoordinateIntoItself) {
  const std::vector<PlaceRule> rules = place_rules("group", 'g', 8);
  for (const PlaceRule& rule : rules) {
    bool moves = false;
    for (int i = 0; i < 8; ++i) {
      EXPECT_GE(rule(i), 0) << rule.says;
      EXPECT_LT(rule(i), 8) << rule.says;
      moves = moves || rule(i) != i;
    }
    EXPECT_TRUE(moves) << rule.says;
  }
  EXPECT_EQ(rules.front().says, "group g-1");
  EXPECT_EQ(rules.front()(3), 2);
  EXPECT_EQ(rules.front()(0), 7);
}

// The sign bit alone is NaN in FNUZ formats: no fault of zeros may touch it.
TEST(ArithmeticModels, LeaveTheNanOfFnuzFormatsAlone) {
  const ArithmeticSetting setting{oracle::e4m3::spec, oracle::Dtype::e4m3,
                                  &oracle::profiles::fnuz()};
  const ResultTable right = right_results(setting);
  for (std::size_t m = 0; m < arithmetic_models().size(); ++m) {
    const ArithmeticModel& model = arithmetic_models()[m];
    const bool of_zeros = model.fault_class == "enc_negative_zero_lost" ||
                          model.fault_class == "enc_subnormal_flush" ||
                          model.fault_class == "enc_subnormal_wrong_quantum" ||
                          model.fault_class == "enc_ties_toward_zero";
    if (!of_zeros || !model.applies(setting)) continue;
    for (std::size_t pair = 0; pair < right.size(); ++pair) {
      const bool nan = right[pair] == 0x80;
      EXPECT_EQ(model_results(setting)[m][pair] == 0x80, nan) << model.variant << " " << pair;
    }
  }
}

}  // namespace
}  // namespace harness
