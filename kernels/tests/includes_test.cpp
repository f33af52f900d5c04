// The device code stands alone: it includes its own headers, fixed-width integers and the device
// headers of CUDA or HIP, and nothing else.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

const fs::path root = FP4CTS_KERNEL_DIR;

bool is_device_code(const fs::path& path) {
  static const std::set<std::string> suffixes = {".hpp", ".cuh", ".cu", ".hip"};
  const fs::path relative = fs::relative(path, root);
  return suffixes.contains(path.extension()) && *relative.begin() != "tests" &&
         relative != "include/kernels/module.hpp";  // the build's table, for host programs
}

TEST(Includes, AreTheKernelsOwnOrTheDevices) {
  static const std::set<std::string> system = {"cstdint", "cuda_runtime.h", "hip/hip_runtime.h"};
  static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || !is_device_code(entry.path())) continue;
    ++files;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      std::smatch found;
      if (!std::regex_search(line, found, include)) continue;
      const std::string name = found.str(2);
      const bool own = found.str(1) == "\"" && name.find("..") == std::string::npos &&
                       (fs::exists(root / name) || fs::exists(root / "include" / name));
      EXPECT_TRUE(own || system.contains(name)) << entry.path() << " includes " << name;
    }
  }
  EXPECT_GT(files, 10);
}

}  // namespace
