#include "harness/cli/host_system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>

namespace harness::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::StartsWith;

class HostSystemTest : public ::testing::Test {
 protected:
  HostSystemTest()
      : root_(fs::temp_directory_path() / ("fp4cts-system-" + std::to_string(::getpid()))) {
    fs::create_directories(root_);
  }
  ~HostSystemTest() override { fs::remove_all(root_); }

  void put(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  std::string enclosed_in() const {
    return container(root_, [this](const char* name) -> const char* {
      const auto found = variables_.find(name);
      return found == variables_.end() ? nullptr : found->second.c_str();
    });
  }

  fs::path root_;
  std::map<std::string, std::string> variables_;
};

TEST_F(HostSystemTest, TheSystemIsCalledWhatItCallsItself) {
  EXPECT_THAT(os_release(root_), StartsWith("not available: no PRETTY_NAME in "));
  put("usr/lib/os-release", "ID=rhel\nPRETTY_NAME='Red Hat Enterprise Linux 9.4 (Plow)'\n");
  EXPECT_EQ(os_release(root_), "Red Hat Enterprise Linux 9.4 (Plow)");
  put("etc/os-release", "PRETTY_NAME=\"Ubuntu 22.04.5 LTS\"\nID=ubuntu\n");
  EXPECT_EQ(os_release(root_), "Ubuntu 22.04.5 LTS");
}

TEST_F(HostSystemTest, AContainerIsSeenByItsMarks) {
  EXPECT_EQ(enclosed_in(), "none seen");
  put("proc/1/cgroup", "0::/\n");
  EXPECT_EQ(enclosed_in(), "none seen");
  put(".dockerenv", "");
  EXPECT_EQ(enclosed_in(), "docker");
  variables_["KUBERNETES_SERVICE_HOST"] = "10.0.0.1";
  EXPECT_EQ(enclosed_in(), "docker, kubernetes");
}

TEST_F(HostSystemTest, EachKindHasItsName) {
  put("run/.containerenv", "");
  EXPECT_EQ(enclosed_in(), "podman");
  fs::remove(root_ / "run/.containerenv");
  put("proc/1/cgroup", "3:cpu:/lxc/build\n");
  EXPECT_EQ(enclosed_in(), "lxc");
  put("proc/1/cgroup", "");
  variables_["SINGULARITY_NAME"] = "cuda.sif";
  EXPECT_EQ(enclosed_in(), "apptainer");
  variables_ = {{"container", "systemd-nspawn"}};
  EXPECT_EQ(enclosed_in(), "systemd-nspawn");
}

}  // namespace
}  // namespace harness::cli
