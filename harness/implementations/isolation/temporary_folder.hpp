// A folder for one worker's files, gone with it.
#pragma once

#include <filesystem>
#include <utility>

#include "harness/model/result.hpp"

namespace harness {

class TemporaryFolder {
 public:
  // In $TMPDIR, else in /tmp; nobody else may look into it. Error: io_error with the reason.
  static Result<TemporaryFolder> create();

  TemporaryFolder() = default;  // none
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  // Removes it with all that is in it.
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }  // empty where there is none

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace harness
