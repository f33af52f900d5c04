// The arithmetic fault models against what is known of the faults from elsewhere: how many of the
// 4096 pairs of code and scale show each (docs/faults.md, computed with exact rationals), and
// single results that were reported.
#include "harness/diagnosis/arithmetic_models.hpp"

#include <gtest/gtest.h>

#include <set>

#include "harness/diagnosis/fault_classes.hpp"

namespace harness {
namespace {

using oracle::Dtype;
using oracle::FormatSpec;

ArithmeticSetting setting(const FormatSpec& format, Dtype destination) {
  return {format, destination, &oracle::profiles::ocp()};
}

struct Reach {
  unsigned pairs = 0;
  unsigned scales = 0;
  bool operator==(const Reach&) const = default;
};

// Of every model of a class.
std::vector<Reach> reaches(std::string_view fault_class, const ArithmeticSetting& of) {
  const ResultTable right = right_results(of);
  std::vector<Reach> found;
  for (std::size_t m = 0; m < arithmetic_models().size(); ++m) {
    const ArithmeticModel& model = arithmetic_models()[m];
    if (model.fault_class != fault_class || !model.applies(of)) continue;
    const ResultTable& results = model_results(of)[m];
    Reach reach;
    std::set<std::size_t> scales;
    for (std::size_t pair = 0; pair < results.size(); ++pair) {
      if (results[pair] == right[pair]) continue;
      ++reach.pairs;
      scales.insert(pair / 16);
    }
    reach.scales = static_cast<unsigned>(scales.size());
    found.push_back(reach);
  }
  return found;
}

void expect_reach(std::string_view fault_class, const FormatSpec& format, Reach expected) {
  const std::vector<Reach> found = reaches(fault_class, setting(format, Dtype::e4m3));
  EXPECT_NE(std::find(found.begin(), found.end(), expected), found.end())
      << fault_class << ": no model has " << expected.pairs << "/" << expected.scales << " but "
      << [&] {
           std::string all;
           for (const Reach& r : found) {
             all += std::to_string(r.pairs) + "/" + std::to_string(r.scales) + " ";
           }
           return all;
         }();
}

TEST(ArithmeticModels, ShowAsManyPairsAsTheFaultsDo) {
  struct Known {
    std::string_view fault_class;
    Reach nvfp4;
    Reach mxfp4;
  };
  constexpr Reach none{0, 0};
  for (const Known& known : {
           Known{"enc_top_binade_saturates", {144, 54}, {14, 4}},
           Known{"enc_finite_overflow_to_nan", {252, 42}, {1676, 121}},
           Known{"enc_truncates", {348, 70}, {12, 4}},
           Known{"enc_ties_away", {188, 40}, {8, 4}},
           Known{"enc_subnormal_flush", {124, 28}, {48, 7}},
           Known{"enc_subnormal_wrong_quantum", {132, 30}, {48, 7}},
           Known{"enc_negative_zero_lost", {270, 254}, {1073, 255}},
           Known{"enc_nan_swallowed_by_clamp", {32, 2}, {16, 1}},
           Known{"double_rounding", none, none},
           Known{"element_subnormal_as_normal", {1000, 252}, {310, 137}},
           Known{"element_table_doubled", {3252, 252}, {272, 23}},
           Known{"zero_code_short_circuit", {258, 129}, {2, 1}},
           Known{"nan_sign", {16, 1}, none},
           Known{"scale_byte_used_as_integer", {3736, 254}, {2782, 255}},
           Known{"scale_format_confused", {3810, 254}, {3810, 254}},
           Known{"fnuz_output", {3828, 256}, {3030, 256}},
           Known{"unsupported_arch_stub_returns_zero", {3826, 256}, {3023, 256}},
       }) {
    expect_reach(known.fault_class, oracle::e4m3::spec, known.nvfp4);
    expect_reach(known.fault_class, oracle::e8m0::spec, known.mxfp4);
  }
  for (const auto& [fault_class, reach] : {
           std::pair<std::string_view, Reach>{"e4m3_scale_subnormal_implicit_one", {192, 14}},
           {"e4m3_scale_zero_not_zero", {220, 16}},
           {"e4m3_scale_subnormal_flushed", {192, 14}},
           {"e4m3_scale_nan_reads_480", {32, 2}},
           {"e4m3_scale_top_binade_is_nan", {224, 14}},
           {"e4m3_scale_top_binade_is_nan", {192, 12}},
           {"e4m3_scale_sign_ignored", {2032, 127}},
           {"scale_rounded_to_power_of_two", {2760, 216}},
           {"scale_rounded_to_power_of_two", {2792, 216}},
           {"fnuz_scale_decode", {3452, 255}},
       }) {
    expect_reach(fault_class, oracle::e4m3::spec, reach);
  }
  for (const auto& [fault_class, reach] : {
           std::pair<std::string_view, Reach>{"f32_overflow_inf_to_nan", {12, 2}},
           {"e8m0_code_0_flushed", {0, 0}},  // masked by FP8 outputs
           {"e8m0_nan_becomes_inf", {14, 1}},
           {"e8m0_nan_ignored", {16, 1}},
           {"e8m0_code_0_means_one", {14, 1}},
           {"e8m0_integer_shift", {2328, 172}},
           {"e8m0_bias_off_by_one", {272, 23}},
       }) {
    expect_reach(fault_class, oracle::e8m0::spec, reach);
  }
}

TEST(ArithmeticModels, GiveTheReportedBytes) {
  struct Reported {
    std::string_view fault_class;
    FormatSpec format;
    std::uint8_t code;
    std::uint8_t scale;
    std::uint32_t right;
    std::uint32_t wrong;
  };
  constexpr FormatSpec nv = oracle::e4m3::spec;
  constexpr FormatSpec mx = oracle::e8m0::spec;
  for (const Reported& r : {
           Reported{"enc_top_binade_saturates", nv, 0x2, 0x78, 0x78, 0x7e},
           Reported{"enc_top_binade_saturates", mx, 0x2, 0x87, 0x78, 0x7e},
           Reported{"enc_finite_overflow_to_nan", nv, 0x3, 0x7a, 0x7e, 0x7f},
           Reported{"enc_finite_overflow_to_nan", nv, 0xf, 0x7e, 0xfe, 0xff},
           Reported{"enc_finite_overflow_to_nan", mx, 0x2, 0x88, 0x7e, 0x7f},
           Reported{"enc_truncates", nv, 0x3, 0x39, 0x3e, 0x3d},
           Reported{"enc_truncates", mx, 0x3, 0x76, 0x02, 0x01},
           Reported{"enc_ties_away", nv, 0x3, 0x3e, 0x42, 0x43},
           Reported{"enc_ties_away", nv, 0x1, 0x01, 0x00, 0x01},
           Reported{"enc_ties_away", mx, 0x2, 0x75, 0x00, 0x01},
           Reported{"enc_subnormal_flush", nv, 0x2, 0x07, 0x07, 0x00},
           Reported{"enc_subnormal_flush", mx, 0x2, 0x76, 0x01, 0x00},
           Reported{"enc_subnormal_wrong_quantum", nv, 0x7, 0x01, 0x06, 0x03},
           Reported{"enc_subnormal_wrong_quantum", mx, 0x7, 0x76, 0x06, 0x03},
           Reported{"enc_negative_zero_lost", nv, 0x8, 0x38, 0x80, 0x00},
           Reported{"enc_negative_zero_lost", nv, 0x9, 0x01, 0x80, 0x00},
           Reported{"enc_negative_zero_lost", mx, 0x8, 0x7f, 0x80, 0x00},
           Reported{"enc_nan_swallowed_by_clamp", nv, 0x2, 0x7f, 0x7f, 0xfe},
           Reported{"enc_nan_swallowed_by_clamp", nv, 0x2, 0x7f, 0x7f, 0x7e},
           Reported{"enc_nan_swallowed_by_clamp", mx, 0x2, 0xff, 0x7f, 0xfe},
           Reported{"f32_overflow_inf_to_nan", mx, 0x4, 0xfe, 0x7e, 0x7f},
           Reported{"f32_overflow_inf_to_nan", mx, 0x7, 0xfd, 0x7e, 0x7f},
           Reported{"element_subnormal_as_normal", nv, 0x0, 0x38, 0x00, 0x30},
           Reported{"element_subnormal_as_normal", nv, 0x1, 0x38, 0x30, 0x34},
           Reported{"element_table_doubled", nv, 0x2, 0x38, 0x38, 0x40},
           Reported{"tensor_scale_dropped_or_added", nv, 0x2, 0x38, 0x38, 0x30},
           Reported{"zero_code_short_circuit", nv, 0x0, 0x7f, 0x7f, 0x00},
           Reported{"zero_code_short_circuit", mx, 0x0, 0xff, 0x7f, 0x00},
           Reported{"e4m3_scale_subnormal_implicit_one", nv, 0x7, 0x01, 0x06, 0x16},
           Reported{"e4m3_scale_subnormal_implicit_one", nv, 0x2, 0x07, 0x07, 0x08},
           Reported{"e4m3_scale_zero_not_zero", nv, 0x7, 0x00, 0x00, 0x14},
           Reported{"e4m3_scale_subnormal_flushed", nv, 0x7, 0x07, 0x1a, 0x00},
           Reported{"e4m3_scale_nan_reads_480", nv, 0x1, 0x7f, 0x7f, 0x77},
           Reported{"e4m3_scale_nan_reads_480", nv, 0x1, 0xff, 0x7f, 0xf7},
           Reported{"e4m3_scale_nan_reads_480", nv, 0x0, 0x7f, 0x7f, 0x00},
           Reported{"e4m3_scale_top_binade_is_nan", nv, 0x2, 0x78, 0x78, 0x7f},
           Reported{"nan_sign", nv, 0x2, 0xff, 0x7f, 0xff},
           Reported{"e4m3_scale_sign_ignored", nv, 0x2, 0xb8, 0xb8, 0x38},
           Reported{"e4m3_scale_sign_ignored", nv, 0x2, 0x80, 0x80, 0x00},
           Reported{"scale_byte_used_as_integer", nv, 0x2, 0x38, 0x38, 0x66},
           Reported{"scale_byte_used_as_integer", mx, 0x2, 0x7f, 0x38, 0x70},
           Reported{"scale_format_confused", nv, 0x2, 0x38, 0x38, 0x00},
           Reported{"scale_format_confused", mx, 0x2, 0x7f, 0x38, 0x7f},
           Reported{"e8m0_nan_becomes_inf", mx, 0x2, 0xff, 0x7f, 0x7e},
           Reported{"e8m0_nan_ignored", mx, 0x0, 0xff, 0x7f, 0x00},
           Reported{"e8m0_code_0_means_one", mx, 0x2, 0x00, 0x00, 0x38},
           Reported{"e8m0_integer_shift", mx, 0x2, 0x80, 0x40, 0x38},
           Reported{"e8m0_integer_shift", mx, 0x2, 0x7f, 0x38, 0xfe},
           Reported{"e8m0_bias_off_by_one", mx, 0x2, 0x7f, 0x38, 0x30},
           Reported{"scale_rounded_to_power_of_two", nv, 0x2, 0x39, 0x39, 0x40},
           Reported{"scale_rounded_to_power_of_two", nv, 0x2, 0x3d, 0x3d, 0x40},
           Reported{"fnuz_output", nv, 0x2, 0x38, 0x38, 0x40},
           Reported{"fnuz_output", nv, 0x8, 0x38, 0x80, 0x00},
           Reported{"fnuz_output", nv, 0x2, 0x7e, 0x7e, 0x7f},
           Reported{"fnuz_scale_decode", nv, 0x2, 0x38, 0x38, 0x30},
           Reported{"fnuz_scale_decode", nv, 0x2, 0x80, 0x80, 0x7f},
           Reported{"fnuz_scale_decode", nv, 0x1, 0x7f, 0x7f, 0x6f},
           Reported{"unsupported_arch_stub_returns_zero", nv, 0x2, 0x38, 0x38, 0x00},
       }) {
    const ArithmeticSetting of = setting(r.format, Dtype::e4m3);
    EXPECT_EQ(right_results(of)[pair_index(r.code, r.scale)], r.right) << r.fault_class;
    bool some = false;
    for (const ArithmeticModel& model : arithmetic_models()) {
      some = some || (model.fault_class == r.fault_class && model.applies(of) &&
                      model.result(of, r.code, r.scale) == r.wrong);
    }
    EXPECT_TRUE(some) << r.fault_class << ": no model gives " << r.wrong;
  }
}

// What FP8 outputs mask shows in f32: scale 00 times code 2 is 2^-127.
TEST(ArithmeticModels, F32ShowsWhatFp8Masks) {
  const ArithmeticSetting f32 = setting(oracle::e8m0::spec, Dtype::f32);
  EXPECT_EQ(right_results(f32)[pair_index(2, 0)], 0x00400000U);
  for (const std::string_view name : {"e8m0_code_0_flushed", "flush_to_zero_default_differs"}) {
    bool some = false;
    for (const ArithmeticModel& model : arithmetic_models()) {
      some =
          some || (model.fault_class == name && model.applies(f32) && model.result(f32, 2, 0) == 0);
    }
    EXPECT_TRUE(some) << name;
  }
}

TEST(ArithmeticModels, BelongToKnownClasses) {
  for (const ArithmeticModel& model : arithmetic_models()) {
    EXPECT_NE(fault_class_named(model.fault_class), nullptr) << model.fault_class;
  }
}

TEST(FaultClasses, NamesAndIdsAreUnique) {
  std::set<std::string_view> names;
  std::set<std::string_view> ids;
  for (const FaultClass& each : fault_classes()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    if (!each.id.empty()) {
      EXPECT_TRUE(ids.insert(each.id).second) << each.id;
    }
  }
}

TEST(FaultClasses, AreFoundInExplanations) {
  EXPECT_EQ(fault_classes_in("invalid read at 0x12. nan_sign (S07): the kernel; enc_truncates too"),
            (std::vector<std::string>{"nan_sign", "enc_truncates"}));
  EXPECT_TRUE(fault_classes_in("my_nan_sign, nan_signs").empty());
}

TEST(FaultClasses, TheJointClassFitsMost) {
  using Candidates = std::vector<std::vector<std::string>>;
  EXPECT_EQ(joint_fault_class(Candidates{{"a", "b"}, {"b"}, {"b", "a"}}), "b");
  EXPECT_EQ(joint_fault_class(Candidates{{"a", "b"}, {"a", "b"}}), "a");
  EXPECT_EQ(joint_fault_class(Candidates{{}, {}}), "");
}

}  // namespace
}  // namespace harness
