#include "harness/implementations/devices/runtime_folders.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <system_error>

namespace harness {
namespace {

namespace fs = std::filesystem;

class Folders {
 public:
  void add(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) return;
    if (std::find(found_.begin(), found_.end(), folder) == found_.end()) found_.push_back(folder);
  }
  // `rest` of each folder in `parent` whose name begins with `stem`, the last name first.
  void add_each(const fs::path& parent, const std::string& stem, const fs::path& rest) {
    std::vector<fs::path> matching;
    std::error_code error;
    for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
      if (at->path().filename().string().starts_with(stem)) matching.push_back(at->path());
    }
    std::sort(matching.begin(), matching.end(), std::greater<>());
    for (const fs::path& folder : matching) add(folder / rest);
  }
  // The folder that an environment variable names, empty where it names none.
  static fs::path named_by(const char* variable) {
    const char* const value = std::getenv(variable);
    return value != nullptr ? value : "";
  }
  std::vector<fs::path> take() { return std::move(found_); }

 private:
  std::vector<fs::path> found_;
};

}  // namespace

std::vector<fs::path> rocm_folders(const fs::path& root) {
  Folders folders;
  if (const fs::path named = Folders::named_by("ROCM_PATH"); !named.empty()) {
    folders.add(named / "lib");
  }
  folders.add(root / "opt/rocm/lib");
  folders.add_each(root / "opt", "rocm-", "lib");
  for (const char* const variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const fs::path environment = Folders::named_by(variable);
    if (environment.empty()) continue;
    for (const char* const wheel : {"_rocm_sdk_core/lib", "torch/lib"}) {
      folders.add_each(environment / "lib", "python3", fs::path("site-packages") / wheel);
    }
  }
  return folders.take();
}

std::vector<fs::path> cuda_folders(const fs::path& root) {
  Folders folders;
  folders.add(root / "usr/lib/wsl/lib");
  folders.add(root / "usr/local/nvidia/lib64");
  folders.add(root / "usr/lib64/nvidia");
#if defined(__aarch64__)
  folders.add(root / "usr/lib/aarch64-linux-gnu/nvidia/current");
#else
  folders.add(root / "usr/lib/x86_64-linux-gnu/nvidia/current");
#endif
  return folders.take();
}

}  // namespace harness
