// What an NVIDIA board says, over a fake NVML.
#include "harness/implementations/boards/nvidia_board.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "harness/implementations/boards/board.hpp"
#include "harness/implementations/devices/tests/fake_controls.hpp"

namespace harness {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

class NvidiaBoardTest : public ::testing::Test {
 protected:
  void SetUp() override { setenv("FP4CTS_NVML_LIBRARY", FAKE_NVML_LIBRARY, 1); }
  void TearDown() override { unsetenv("FP4CTS_NVML_LIBRARY"); }

  static Json board(const std::string& uuid = "GPU-aabb") {
    return nvidia_board(nvml::load_library(), "0000:3b:00.0", uuid);
  }

  testing::FakeControls fake_{FAKE_NVML_LIBRARY};
};

TEST_F(NvidiaBoardTest, SaysAllThatItKnows) {
  fake_.set("throttle", 0x4 | 0x40);
  fake_.set("corrected", 3);
  EXPECT_EQ(board(), Json::parse(R"({
    "vbios": "96.00.A5.00.01",
    "clocks_mhz": {"sm": 1755, "memory": 2619, "max_sm": 1980, "max_memory": 2619},
    "throttle_reasons": ["sw_power_cap", "hw_thermal_slowdown"],
    "power_limit_watts": 699.5,
    "temperature_celsius": 41,
    "compute_mode": "default",
    "mig": {"mode": "disabled", "instance": null, "profile": null},
    "partition": null,
    "ecc": {"mode": "enabled", "corrected": 3, "uncorrected": 0}})"));
}

TEST_F(NvidiaBoardTest, AReasonWithoutANameIsSaidByItsBits) {
  fake_.set("throttle", 0x1000 | 0x1);
  EXPECT_EQ(board().at("throttle_reasons"), Json::parse(R"(["gpu_idle", "0x1000"])"));
}

TEST_F(NvidiaBoardTest, ModesHaveTheirNames) {
  fake_.set("compute_mode", 3);
  EXPECT_EQ(board().at("compute_mode"), "exclusive_process");
  fake_.set("compute_mode", 9);
  EXPECT_EQ(board().at("compute_mode"), "mode 9");
}

TEST_F(NvidiaBoardTest, AnInstanceSaysItsProfile) {
  fake_.set("mig", 1);
  EXPECT_EQ(board("GPU-0011").at("mig"),
            Json::parse(R"({"mode": "enabled", "instance": "MIG-0011", "profile": "1g.18gb"})"));
}

TEST_F(NvidiaBoardTest, WhatCannotBeHadSaysWhy) {
  const std::pair<const char*, Json::json_pointer> asked[] = {
      {"nvmlDeviceGetVbiosVersion", Json::json_pointer("/vbios")},
      {"nvmlDeviceGetClockInfo", Json::json_pointer("/clocks_mhz/sm")},
      {"nvmlDeviceGetMaxClockInfo", Json::json_pointer("/clocks_mhz/max_sm")},
      {"nvmlDeviceGetCurrentClocksThrottleReasons", Json::json_pointer("/throttle_reasons")},
      {"nvmlDeviceGetEnforcedPowerLimit", Json::json_pointer("/power_limit_watts")},
      {"nvmlDeviceGetTemperature", Json::json_pointer("/temperature_celsius")},
      {"nvmlDeviceGetComputeMode", Json::json_pointer("/compute_mode")},
      {"nvmlDeviceGetMigMode", Json::json_pointer("/mig/mode")},
      {"nvmlDeviceGetEccMode", Json::json_pointer("/ecc/mode")},
      {"nvmlDeviceGetTotalEccErrors", Json::json_pointer("/ecc/corrected")}};
  const Json whole = board();
  for (const auto& [function, place] : asked) {
    fake_.fail(function, 3);
    Json without = board();
    EXPECT_EQ(without.at(place), "not available: " + std::string(function) + ": Not Supported");
    without.at(place) = whole.at(place);
    EXPECT_EQ(without, whole) << "and the rest is there without " << function;
  }
}

TEST_F(NvidiaBoardTest, ABoardThatNvmlDoesNotKnowIsAllNotAvailable) {
  fake_.fail("nvmlDeviceGetHandleByPciBusId_v2", 4);
  EXPECT_EQ(board().at("vbios"),
            "not available: nvmlDeviceGetHandleByPciBusId_v2 of 0000:3b:00.0: Insufficient "
            "Permissions");
}

TEST_F(NvidiaBoardTest, WithoutNvmlTheReasonIsItsAbsence) {
  setenv("FP4CTS_NVML_LIBRARY", "libno_such_nvml.so.1", 1);
  const Json without = board();
  for (const char* const member : {"vbios", "clocks_mhz", "throttle_reasons", "compute_mode"}) {
    EXPECT_THAT(without.at(member).get<std::string>(),
                HasSubstr("not available: FP4CTS_NVML_LIBRARY: libno_such_nvml.so.1"));
  }
  setenv("FP4CTS_NVML_LIBRARY", "libm.so.6", 1);
  EXPECT_THAT(board().at("vbios").get<std::string>(), HasSubstr("is not NVML: it lacks"));
}

TEST_F(NvidiaBoardTest, NvmlThatDoesNotStartIsTheReason) {
  fake_.fail("nvmlInit_v2", 4);
  EXPECT_EQ(board().at("vbios"), "not available: nvmlInit_v2: Insufficient Permissions");
}

TEST(NvidiaDriverNumberTest, IsTheDriversOwnInEveryFormOfItsFile) {
  EXPECT_EQ(number_in_nvidia_version(
                "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue Sep 23 10:11:16 "
                "UTC 2025\nGCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n"),
            "580.95.05");
  EXPECT_EQ(
      number_in_nvidia_version(
          "NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  610.43  Release Build\n"),
      "610.43");
  EXPECT_EQ(number_in_nvidia_version("GCC version:  gcc version 12.2.0 \n"), "");
}

TEST(NvidiaDriverNumberTest, ComesFromTheFileWhereThereIsOne) {
  const auto root =
      std::filesystem::temp_directory_path() / ("fp4cts-driver-" + std::to_string(::getpid()));
  std::filesystem::create_directories(root / "proc/driver/nvidia");
  std::ofstream(root / "proc/driver/nvidia/version")
      << "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue\n";
  EXPECT_EQ(nvidia_driver_number(root), "580.95.05");
  std::filesystem::remove_all(root);
}

TEST(NvidiaDriverNumberTest, ComesFromNvmlWhereThereIsNoFile) {
  setenv("FP4CTS_NVML_LIBRARY", FAKE_NVML_LIBRARY, 1);
  EXPECT_EQ(nvidia_driver_number("/nowhere"), "601.22.03");
  unsetenv("FP4CTS_NVML_LIBRARY");
}

}  // namespace
}  // namespace harness
