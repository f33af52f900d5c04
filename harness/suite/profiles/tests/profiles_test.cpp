#include "harness/suite/profiles/profiles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "harness/files/file.hpp"
#include "harness/files/strict_json.hpp"

namespace harness {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

json ocp_json() { return parse_json(shipped_profiles().front().json, "ocp").value(); }

std::string refusal(const json& object) {
  const auto profile = profile_from_json(object, "mine");
  EXPECT_FALSE(profile);
  return profile ? "" : profile.error().message;
}

TEST(ProfilesTest, TheShippedFilesAreTheOraclesProfiles) {
  const auto shipped = shipped_profiles();
  ASSERT_EQ(shipped.size(), oracle::profiles::shipped().size());
  for (std::size_t i = 0; i < shipped.size(); ++i) {
    const oracle::Profile& expected = *oracle::profiles::shipped()[i];
    EXPECT_EQ(shipped[i].name, expected.name);
    const auto loaded = load_profile(shipped[i].name);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(*loaded, expected) << expected.name;
  }
}

TEST(ProfilesTest, WhatIsWrittenReadsBackAndHasTheOrderOfTheFiles) {
  for (const ShippedProfile& shipped : shipped_profiles()) {
    const oracle::Profile profile = load_profile(shipped.name).value();
    const nlohmann::ordered_json written = to_json(profile);
    EXPECT_EQ(profile_from_json(parse_json(written.dump(), "written").value(), "written").value(),
              profile);
    auto file = parse_ordered_json(shipped.json, "file").value();
    file.erase("comment");
    EXPECT_EQ(written.dump(2), file.dump(2));
  }
}

// Each member reaches the profile: another value gives another profile, which is written as that.
TEST(ProfilesTest, EveryMemberIsReadAndWritten) {
  const oracle::Profile ocp = oracle::profiles::ocp();
  const json other{
      {"nan", {{"e4m3", "ff"}, {"bf16", "7fff"}, {"f16", "7fff"}, {"f32", "7fffffff"}}},
      {"nan_sign", "from_element"},
      {"e8m0_00", "zero"},
      {"e8m0_ff", "two_to_128"},
      {"scale_family", "fnuz"},
      {"scale_sign", "unsigned_e4m3"},
      {"output_family", "fnuz"},
      {"e4m3_overflow", "to_nan"},
      {"e4m3_infinity", "to_nan"},
      {"negative_zero", "cleared"},
      {"zero_code_nan_scale", "zero"},
      {"scale_order", "swizzle_128x4"},
      {"page_stride", "dense"},
      {"nvfp4_writer",
       {{"amax_floor_f32", "00000001"},
        {"scale_floor_f32", "00000002"},
        {"sixth", "product"},
        {"code_from", "reciprocal_product_to_zero"},
        {"zero_multiplier", "amax_is_zero"},
        {"nan_in_amax", "propagates"},
        {"nan_code", "signed_zero"},
        {"negative_zero", "kept"},
        {"ties", "toward_minus"}}},
      {"mxfp4_writer",
       {{"mode", "ceil"},
        {"amax_floor_f32", "01c00000"},
        {"sixth", "quotient"},
        {"quarter", "exponent"},
        {"smallest_scale", "01"},
        {"largest_scale", "fe"},
        {"nonfinite_scale", "from_bits"},
        {"nan_in_amax", "propagates"},
        {"nan_code", "plus_zero"},
        {"negative_zero", "cleared"},
        {"ties", "away"}}},
      {"unverified", {"nan_sign"}}};
  const auto expect_change = [&](json changed, const json& to) {
    const auto profile = profile_from_json(changed, "changed");
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_FALSE(*profile == ocp) << to;
    changed.erase("comment");
    EXPECT_EQ(json::parse(to_json(*profile).dump()), changed);
  };
  std::size_t members = 0;
  for (const auto& [key, value] : other.items()) {
    if (!value.is_object()) {
      json changed = ocp_json();
      changed[key] = value;
      expect_change(changed, value);
      ++members;
      continue;
    }
    for (const auto& [inner, to] : value.items()) {
      json changed = ocp_json();
      changed[key][inner] = to;
      expect_change(changed, to);
      ++members;
    }
  }
  EXPECT_EQ(members, 37U);
  EXPECT_EQ(other.size() + 4, ocp_json().size());  // and fp4cts_profile, name, version, comment
}

TEST(ProfilesTest, RefusesWhatItDoesNotKnow) {
  json changed = ocp_json();
  changed["e8m0_01"] = "zero";
  EXPECT_EQ(refusal(changed), "mine: \"e8m0_01\": expected no such member");
  changed = ocp_json();
  changed["mxfp4_writer"]["modus"] = "floor";
  EXPECT_EQ(refusal(changed), "mine: \"mxfp4_writer\": \"modus\": expected no such member");
  changed = ocp_json();
  changed["e8m0_00"] = "one";
  EXPECT_EQ(refusal(changed),
            "mine: \"e8m0_00\": expected one of two_to_minus_127, zero, got \"one\"");
  changed = ocp_json();
  changed["nan"]["bf16"] = "7FC0";
  EXPECT_EQ(refusal(changed),
            "mine: \"nan\": \"bf16\": expected 4 hex digits in lower case, got \"7FC0\"");
  changed = ocp_json();
  changed["nan"]["f32"] = 5;
  EXPECT_EQ(refusal(changed), "mine: \"nan\": \"f32\": expected a string, got 5");
  changed = ocp_json();
  changed["fp4cts_profile"] = 2;
  EXPECT_EQ(refusal(changed), "mine: \"fp4cts_profile\": expected an integer in [1, 1], got 2");
  changed = ocp_json();
  changed.erase("ties");
  changed["mxfp4_writer"].erase("ties");
  EXPECT_EQ(refusal(changed), "mine: \"mxfp4_writer\": \"ties\": expected this member, got none");
  EXPECT_EQ(refusal(json::array()), "mine: expected an object, got an array");
}

TEST(ProfilesTest, AFileMayStateOnlyWhereItDiffers) {
  const json small{{"fp4cts_profile", 1}, {"name", "mine"},          {"version", 3},
                   {"extends", "cuda"},   {"nan", {{"e4m3", "ff"}}}, {"e8m0_00", "zero"}};
  oracle::Profile expected = oracle::profiles::cuda();
  expected.name = "mine";
  expected.version = 3;
  expected.nan.e4m3 = 0xff;
  expected.e8m0_00 = oracle::E8m0Zero::zero;
  EXPECT_EQ(profile_from_json(small, "mine").value(), expected);
  json wrong = small;
  wrong["extends"] = "mine";
  EXPECT_EQ(refusal(wrong),
            "mine: \"extends\": expected one of ocp, cuda, fnuz, shift23, vllm_m3, generic_nvfp4, "
            "aiter, aiter_dsv4, ocp_floor, even, ceil, deepgemm, got \"mine\"");
  wrong = small;
  wrong["nan"]["e5m2"] = "7f";
  EXPECT_EQ(refusal(wrong), "mine: \"nan\": \"e5m2\": expected no such member");
}

TEST(ProfilesTest, TheDocumentedExampleIsAProfile) {
  const std::string page = read_text_file(FP4CTS_PROFILES_PAGE, 1 << 20).value();
  const std::size_t begin = page.find("```json\n") + 8;
  const std::string example = page.substr(begin, page.find("```", begin) - begin);
  oracle::Profile expected = oracle::profiles::ocp();
  expected.name = "mine";
  expected.nan_sign = oracle::NanSign::from_element;
  const auto profile = profile_from_json(parse_json(example, "example").value(), "example");
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(*profile, expected);
}

TEST(ProfilesTest, LoadsFilesByTheirPath) {
  const auto path = std::filesystem::temp_directory_path() / "fp4cts_profiles_test.json";
  std::ofstream(path) << shipped_profiles()[1].json;
  EXPECT_EQ(load_profile(path.string()).value(), oracle::profiles::cuda());
  std::ofstream(path) << "{}";
  EXPECT_THAT(load_profile(path.string()).error().message,
              HasSubstr(path.string() + ": \"fp4cts_profile\""));
  std::filesystem::remove(path);
  EXPECT_FALSE(load_profile(path.string()));
  const auto unknown = load_profile("occ");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::unknown_name);
  EXPECT_THAT(unknown.error().message,
              HasSubstr("no profile is named 'occ'; there are: ocp, cuda"));
}

}  // namespace
}  // namespace harness
