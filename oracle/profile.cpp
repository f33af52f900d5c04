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

const std::array<const Profile*, 4>& shipped() {
  static const std::array<const Profile*, 4> profiles{&ocp(), &cuda(), &fnuz(), &shift23()};
  return profiles;
}

}  // namespace oracle::profiles
