#include "harness/implementations/devices/runtime_folders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <string>

#include "harness/implementations/devices/runtime_library.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class RuntimeFoldersTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("fp4cts-folders-" + std::to_string(getpid()));
    for (const char* const variable :
         {"ROCM_PATH", "HIP_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "HOME"}) {
      unsetenv(variable);
    }
  }
  void TearDown() override { fs::remove_all(root_); }
  fs::path make(const char* folder) {
    fs::create_directories(root_ / folder);
    return root_ / folder;
  }

  fs::path root_;
};

TEST_F(RuntimeFoldersTest, TheNamedRocmComesFirstAndTheNewestNext) {
  const fs::path older = make("opt/rocm-7.9.0/lib");
  const fs::path newer = make("opt/rocm-7.10.0/lib");
  const fs::path own = make("mine/lib");
  const fs::path wheel = make("venv/lib/python3.12/site-packages/_rocm_sdk_core/lib");
  setenv("ROCM_PATH", (root_ / "mine").c_str(), 1);
  setenv("VIRTUAL_ENV", (root_ / "venv").c_str(), 1);
  EXPECT_THAT(rocm_folders(root_), ElementsAre(own, newer, older, wheel));
}

TEST_F(RuntimeFoldersTest, AFolderThatAVariableNamesIsLookedInThoughItDoesNotExist) {
  setenv("HIP_PATH", (root_ / "nowhere").c_str(), 1);
  EXPECT_THAT(rocm_folders(root_), ElementsAre(root_ / "nowhere/lib"));
}

TEST_F(RuntimeFoldersTest, TheWheelsBesideItsOwnAreFoundWithoutAVariable) {
  const char* const own = "env/lib/python3.12/site-packages/fp4cts/bin";
  const fs::path program = make(own) / "fp4cts";
  std::ofstream(program) << "the program";
  const fs::path beside = make("env/lib/python3.12/site-packages/_rocm_sdk_core/lib");
  const fs::path system = make("usr/local/lib/python3.12/dist-packages/torch/lib");
  EXPECT_THAT(rocm_folders(root_, program), ElementsAre(beside, system));
  EXPECT_THAT(rocm_folders(root_), ElementsAre(system));
}

TEST_F(RuntimeFoldersTest, WhatDoesNotExistIsNotLookedIn) {
  EXPECT_THAT(rocm_folders(root_), ElementsAre());
  EXPECT_THAT(cuda_folders(root_), ElementsAre());
  const fs::path wsl = make("usr/lib/wsl/lib");
  EXPECT_THAT(cuda_folders(root_), ElementsAre(wsl));
}

TEST_F(RuntimeFoldersTest, TheReasonSaysWhereAndWhichVariableHelps) {
  const std::array folders{make("opt/rocm/lib")};
  const std::array names{"libnobody.so.1"};
  const auto opened = RuntimeLibrary::open("FP4CTS_NOBODY", names, folders);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message, "libnobody.so.1 was not found (looked for by the loader, " +
                                        folders[0].string() + "; FP4CTS_NOBODY names a file)");
}

TEST_F(RuntimeFoldersTest, ALibraryThatIsThereAndDoesNotLoadIsTheReason) {
  const std::array folders{make("opt/rocm/lib")};
  const std::array names{"libnobody.so.1"};
  std::ofstream(folders[0] / names[0]) << "no library";
  const auto opened = RuntimeLibrary::open("FP4CTS_NOBODY", names, folders);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr((folders[0] / names[0]).string()));
  EXPECT_THAT(opened.error().message, testing::Not(HasSubstr("was not found")));
}

}  // namespace
}  // namespace harness
