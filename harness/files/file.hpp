// Whole files in and out. Every error names the file, what was attempted, and the system's reason;
// nothing is left half written under the final name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/result.hpp"

namespace harness {

// A regular file open for reading. Its size is taken once, at open; a file that shrinks afterwards
// gives an error, never a fault.
class InputFile {
 public:
  // Error: io_error; a directory, a pipe or a device is refused by name of its kind.
  static Result<InputFile> open(const std::filesystem::path& path);
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::uint64_t bytes() const { return bytes_; }
  const std::string& name() const { return name_; }
  // Fills `to` from byte `offset` on.
  Result<void> read(std::span<std::uint8_t> to, std::uint64_t offset) const;

 private:
  InputFile(int descriptor, std::uint64_t bytes, std::string name)
      : descriptor_(descriptor), bytes_(bytes), name_(std::move(name)) {}
  int descriptor_ = -1;
  std::uint64_t bytes_ = 0;
  std::string name_;
};

// The whole file. Error: io_error, or too large where it has more than `max_bytes`.
Result<std::vector<std::uint8_t>> read_file(const std::filesystem::path& path,
                                            std::uint64_t max_bytes);
Result<std::string> read_text_file(const std::filesystem::path& path, std::uint64_t max_bytes);

// What is another after every write to the file, and after every rename of it or in its place: its
// place on the disk, its size, and when its contents and its entry changed. Empty where it is not.
std::string file_state(const std::filesystem::path& path);

// Replaces the file in one step: the bytes go to "PATH.part", which is renamed at the end. A device
// or a pipe is written to. Text is on the disk before it has its name: it is what one keeps.
Result<void> write_file(const std::filesystem::path& path,
                        std::span<const std::span<const std::uint8_t>> parts);
Result<void> write_file(const std::filesystem::path& path, std::span<const std::uint8_t> bytes);
Result<void> write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace harness
