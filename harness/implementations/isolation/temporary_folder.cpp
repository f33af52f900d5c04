#include "harness/implementations/isolation/temporary_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <thread>

namespace harness {

Result<TemporaryFolder> TemporaryFolder::create() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  std::string path = (error ? std::filesystem::path("/tmp") : parent) / "fp4cts-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) {
    return oracle::fail(ErrorCode::io_error,
                        fmt::format("cannot make the folder {}: {}", path, std::strerror(errno)));
  }
  return TemporaryFolder(path);
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  // What was killed a moment ago may still be writing.
  constexpr int attempts = 100;
  std::error_code error;
  for (int i = 0; i < attempts; ++i) {
    std::filesystem::remove_all(path_, error);
    if (!error && !std::filesystem::exists(path_, error)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace harness
