#include "oracle/profile.hpp"

namespace oracle::profiles {

const Profile& ocp() {
  static const Profile profile{.name = "ocp", .nan = {}, .unverified = {"nan.e4m3"}};
  return profile;
}

const Profile& cuda() {
  static const Profile profile{
      .name = "cuda",
      .nan = {.e4m3 = 0x7f, .bf16 = 0x7fff, .f16 = 0x7fff, .f32 = 0x7fffffff},
      .unverified = {},
  };
  return profile;
}

const Profile& fnuz() {
  static const Profile profile{
      .name = "fnuz",
      .nan = {.e4m3 = 0x80},
      .scale_family = E4m3Family::fnuz,
      .output_family = E4m3Family::fnuz,
      .unverified = {"e4m3_overflow", "e4m3_infinity"},
  };
  return profile;
}

const Profile& shift23() {
  static const Profile profile{
      .name = "shift23",
      .nan = {},
      .e8m0_00 = E8m0Zero::zero,
      .e8m0_ff = E8m0Ff::infinity,
      .unverified = {},
  };
  return profile;
}

namespace {

Profile nvfp4_writer(const char* name, const Nvfp4Rule& rule, std::vector<std::string> unverified) {
  Profile profile = ocp();
  profile.name = name;
  profile.nvfp4_writer = rule;
  profile.unverified = std::move(unverified);
  return profile;
}

Profile mxfp4_writer(const char* name, const Mxfp4Rule& rule, std::vector<std::string> unverified) {
  Profile profile = ocp();
  profile.name = name;
  profile.mxfp4_writer = rule;
  profile.unverified = std::move(unverified);
  return profile;
}

}  // namespace

const Profile& vllm_m3() {
  static const Profile profile = nvfp4_writer("vllm_m3", oracle::vllm_m3, {"nan.e4m3"});
  return profile;
}

const Profile& generic_nvfp4() {
  static const Profile profile =
      nvfp4_writer("generic_nvfp4", nvfp4_generic, {"nan.e4m3", "nvfp4_writer.nan_in_amax"});
  return profile;
}

const Profile& aiter() {
  static const Profile profile = mxfp4_writer("aiter", mxfp4_aiter, {"nan.e4m3", "mxfp4_writer"});
  return profile;
}

const Profile& aiter_dsv4() {
  static const Profile profile =
      mxfp4_writer("aiter_dsv4", mxfp4_dsv4, {"nan.e4m3", "mxfp4_writer"});
  return profile;
}

const Profile& ocp_floor() {
  static const Profile profile = mxfp4_writer("ocp_floor", mxfp4_ocp_floor, {"nan.e4m3"});
  return profile;
}

const Profile& even() {
  static const Profile profile = mxfp4_writer("even", mxfp4_even, {"nan.e4m3"});
  return profile;
}

const Profile& ceil() {
  static const Profile profile = mxfp4_writer("ceil", mxfp4_ceil, {"nan.e4m3"});
  return profile;
}

const Profile& deepgemm() {
  static const Profile profile = mxfp4_writer("deepgemm", mxfp4_deepgemm, {"nan.e4m3"});
  return profile;
}

std::span<const Profile* const> shipped() {
  static const std::array<const Profile*, 12> profiles{
      &ocp(),   &cuda(),       &fnuz(),      &shift23(), &vllm_m3(), &generic_nvfp4(),
      &aiter(), &aiter_dsv4(), &ocp_floor(), &even(),    &ceil(),    &deepgemm()};
  return profiles;
}

}  // namespace oracle::profiles
