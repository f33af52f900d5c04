// What amdgpu's files say of a board, in a tree of such files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "harness/implementations/boards/board.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

class AmdBoardTest : public ::testing::Test {
 protected:
  AmdBoardTest() : root_(fs::temp_directory_path() / ("fp4cts-amd-" + std::to_string(::getpid()))) {
    fs::create_directories(root_);
  }
  ~AmdBoardTest() override { fs::remove_all(root_); }

  void put(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  void put_board(const std::string& file, const std::string& text) const {
    put("sys/bus/pci/devices/0000:c1:00.0/" + file, text);
  }

  fs::path root_;
};

TEST_F(AmdBoardTest, SaysWhatTheFilesSay) {
  put_board("vbios_version", "113-M3000100-102\n");
  put_board("pp_dpm_sclk", "0: 132Mhz *\n1: 2100Mhz\n");
  put_board("pp_dpm_mclk", "0: 900Mhz\n1: 1200Mhz\n2: 1300Mhz *\n");
  put_board("hwmon/hwmon4/power1_cap", "750000000\n");
  put_board("hwmon/hwmon4/temp1_input", "38500\n");
  put_board("current_compute_partition", "SPX\n");
  put_board("current_memory_partition", "NPS1\n");
  put_board("ras/umc_err_count", "ue: 0\nce: 2\n");
  put_board("ras/gfx_err_count", "ue: 1\nce: 3\n");
  EXPECT_EQ(amd_board(root_, "0000:c1:00.0"), Json::parse(R"({
    "vbios": "113-M3000100-102",
    "clocks_mhz": {"sm": 132, "memory": 1300, "max_sm": 2100, "max_memory": 1300},
    "throttle_reasons": "not available: amdgpu states them in gpu_metrics, whose form differs by board",
    "power_limit_watts": 750.0,
    "temperature_celsius": 38.5,
    "compute_mode": null,
    "mig": null,
    "partition": {"compute": "SPX", "memory": "NPS1"},
    "ecc": {"mode": "enabled", "corrected": 5, "uncorrected": 1}})"));
}

TEST_F(AmdBoardTest, WhatIsNotThereNamesItsFile) {
  const Json board = amd_board(root_, "0000:c1:00.0");
  EXPECT_EQ(board.at("vbios"),
            "not available: cannot read " +
                (root_ / "sys/bus/pci/devices/0000:c1:00.0/vbios_version").string());
  EXPECT_THAT(board.at("power_limit_watts").get<std::string>(), HasSubstr("hwmon/*/power1_cap"));
  EXPECT_THAT(board.at("clocks_mhz").at("max_sm").get<std::string>(), HasSubstr("pp_dpm_sclk"));
  EXPECT_THAT(board.at("ecc").at("corrected").get<std::string>(), HasSubstr("ras/*_err_count"));
}

TEST_F(AmdBoardTest, TheDriverIsAPackageOrTheKernels) {
  EXPECT_EQ(amd_driver_number(root_), "unknown");
  put("proc/sys/kernel/osrelease", "6.8.0-45-generic\n");
  EXPECT_EQ(amd_driver_number(root_), "of Linux 6.8.0-45-generic");
  put("sys/module/amdgpu/version", "6.12.12\n");
  EXPECT_EQ(amd_driver_number(root_), "6.12.12");
}

}  // namespace
}  // namespace harness
