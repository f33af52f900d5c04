#include "oracle/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace oracle {
namespace {

TEST(ProfileTest, DefaultIsOcpAndFollowsSection4) {
  const Profile& ocp = *profiles::shipped().front();
  EXPECT_EQ(ocp.name, "ocp");
  EXPECT_EQ(ocp.nan.e4m3, 0x7f);
  EXPECT_EQ(ocp.nan.f32, 0x7fc00000U);
  EXPECT_EQ(ocp.nan.bf16, 0x7fc0);
  EXPECT_EQ(ocp.nan.f16, 0x7e00);
  EXPECT_EQ(ocp.scale_sign, ScaleSign::signed_e4m3);
  EXPECT_EQ(ocp.e4m3_overflow, E4m3Overflow::satfinite);
  EXPECT_EQ(ocp.e4m3_infinity, E4m3Infinity::saturate);
  EXPECT_EQ(ocp.negative_zero, NegativeZero::kept);
  EXPECT_EQ(ocp.scale_family, E4m3Family::ocp);
  EXPECT_EQ(ocp.output_family, E4m3Family::ocp);
  EXPECT_EQ(ocp.e8m0_00, E8m0Zero::two_to_minus_127);
  EXPECT_EQ(ocp.e8m0_ff, E8m0Ff::nan);
}

TEST(ProfileTest, ShippedProfilesHaveDistinctNamesAndDiffer) {
  std::set<std::string> names;
  for (const Profile* profile : profiles::shipped()) names.insert(profile->name);
  EXPECT_EQ(names, (std::set<std::string>{"ocp", "cuda", "fnuz", "shift23", "vllm_m3",
                                          "generic_nvfp4", "aiter", "aiter_dsv4", "ocp_floor",
                                          "even", "ceil", "deepgemm"}));
  // The writers of `ocp` under their own names.
  const auto is_writer_of_ocp = [](const Profile* profile) {
    return profile == &profiles::ocp() || profile == &profiles::vllm_m3() ||
           profile == &profiles::aiter();
  };
  for (const Profile* a : profiles::shipped()) {
    for (const Profile* b : profiles::shipped()) {
      Profile renamed = *a;
      renamed.name = b->name;
      renamed.unverified = b->unverified;
      EXPECT_EQ(renamed == *b, a == b || (is_writer_of_ocp(a) && is_writer_of_ocp(b)))
          << a->name << " and " << b->name;
    }
  }
}

TEST(ProfileTest, CudaDiffersFromOcpInNanCodesOnly) {
  Profile changed = profiles::ocp();
  changed.name = "cuda";
  changed.unverified.clear();
  changed.nan.bf16 = 0x7fff;
  changed.nan.f16 = 0x7fff;
  changed.nan.f32 = 0x7fffffff;
  EXPECT_EQ(changed, profiles::cuda());
}

}  // namespace
}  // namespace oracle
