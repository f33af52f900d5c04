#include "harness/implementations/devices/runtime_folders.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

namespace harness {
namespace {

namespace fs = std::filesystem;

class Folders {
 public:
  void add(const fs::path& folder) {
    std::error_code error;
    if (fs::is_directory(folder, error)) keep(folder);
  }
  // `rest` in the folder that a variable names. It is kept where it does not exist: the reason then
  // says that it was looked in.
  void add_named(const char* variable, const fs::path& rest) {
    if (const fs::path named = named_by(variable); !named.empty()) keep(named / rest);
  }
  // `rest` of each folder in `parent` whose name begins with `stem`, the newest version first: 7.10
  // is newer than 7.9.
  void add_each(const fs::path& parent, const std::string& stem, const fs::path& rest) {
    std::vector<fs::path> matching;
    std::error_code error;
    for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
      if (at->path().filename().string().starts_with(stem)) matching.push_back(at->path());
    }
    std::sort(matching.begin(), matching.end(), [](const fs::path& a, const fs::path& b) {
      return ::strverscmp(a.c_str(), b.c_str()) > 0;
    });
    for (const fs::path& folder : matching) add(folder / rest);
  }
  // The wheels that hold a HIP runtime, of one folder of packages.
  void add_wheels(const fs::path& packages) {
    for (const char* const wheel : {"_rocm_sdk_core/lib", "torch/lib"}) add(packages / wheel);
  }
  // The same for each Python of an environment.
  void add_wheels_of(const fs::path& environment) {
    for (const char* const packages : {"site-packages", "dist-packages"}) {
      for (const char* const wheel : {"_rocm_sdk_core/lib", "torch/lib"}) {
        add_each(environment / "lib", "python3", fs::path(packages) / wheel);
      }
    }
  }
  // The folder that an environment variable names, empty where it names none.
  static fs::path named_by(const char* variable) {
    const char* const value = std::getenv(variable);
    return value != nullptr ? value : "";
  }
  std::vector<fs::path> take() { return std::move(found_); }

 private:
  void keep(const fs::path& folder) {
    if (std::find(found_.begin(), found_.end(), folder) == found_.end()) found_.push_back(folder);
  }

  std::vector<fs::path> found_;
};

// The folder of Python packages that a program lies in, as that of the wheel does; empty otherwise.
fs::path packages_of(const fs::path& program) {
  std::error_code error;
  for (fs::path at = fs::canonical(program, error); !error && at.has_relative_path();
       at = at.parent_path()) {
    if (at.filename() == "site-packages" || at.filename() == "dist-packages") return at;
  }
  return {};
}

}  // namespace

std::vector<fs::path> rocm_folders(const fs::path& root, const fs::path& program) {
  Folders folders;
  for (const char* const variable : {"ROCM_PATH", "HIP_PATH"}) folders.add_named(variable, "lib");
  folders.add(root / "opt/rocm/lib");
  folders.add_each(root / "opt", "rocm-", "lib");
  for (const char* const variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const fs::path named = Folders::named_by(variable); !named.empty()) {
      folders.add_wheels_of(named);
    }
  }
  if (const fs::path packages = packages_of(program); !packages.empty()) {
    folders.add_wheels(packages);
  }
  if (const fs::path home = Folders::named_by("HOME"); !home.empty()) {
    folders.add_wheels_of(home / ".local");
  }
  for (const char* const environment : {"opt/venv", "usr/local", "usr"}) {
    folders.add_wheels_of(root / environment);
  }
  return folders.take();
}

std::vector<fs::path> cuda_folders(const fs::path& root) {
  Folders folders;
  folders.add(root / "usr/lib/wsl/lib");
  folders.add(root / "usr/local/nvidia/lib64");
  folders.add(root / "usr/lib64/nvidia");
  folders.add(root / "run/opengl-driver/lib");  // NixOS
#if defined(__aarch64__)
  const fs::path libraries = root / "usr/lib/aarch64-linux-gnu";
  folders.add(libraries / "tegra");  // Jetson, and the next as well
#else
  const fs::path libraries = root / "usr/lib/x86_64-linux-gnu";
#endif
  folders.add(libraries / "nvidia");
  folders.add(libraries / "nvidia/current");
  return folders.take();
}

}  // namespace harness
