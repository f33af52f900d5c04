#include "harness/files/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace harness {
namespace {

tl::unexpected<Error> failed(const std::string& name, std::string_view attempt, int error) {
  return oracle::fail(ErrorCode::io_error, fmt::format("{}: {}: {}", name, attempt,
                                                       std::generic_category().message(error)));
}

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

Result<void> write_all(int descriptor, std::span<const std::uint8_t> bytes,
                       const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed(name, "writing", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Into a device or a pipe: to rename another file to its name would take its place.
Result<void> write_into(const std::string& name,
                        std::span<const std::span<const std::uint8_t>> parts) {
  const int descriptor = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return failed(name, "opening for writing", errno);
  Result<void> written;
  for (const auto part : parts) {
    if (written) written = write_all(descriptor, part, name);
  }
  if (::close(descriptor) != 0 && written) written = failed(name, "closing", errno);
  return written;
}

// So that a rename lasts where the power is cut. Where a folder cannot be opened there is nothing
// to be done.
void synchronize_folder_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

// `lasting`: on the disk before the file has its name.
Result<void> write_whole(const std::filesystem::path& path,
                         std::span<const std::span<const std::uint8_t>> parts, bool lasting) {
  std::error_code error;
  // Of a link, the file that it names is replaced, and not the link.
  const std::filesystem::path target = std::filesystem::is_symlink(path, error)
                                           ? std::filesystem::weakly_canonical(path, error)
                                           : path;
  const std::string name = target.string();
  struct stat status {};
  const bool there = ::stat(name.c_str(), &status) == 0;
  if (there && S_ISDIR(status.st_mode)) return failed(name, "opening for writing", EISDIR);
  if (there && !S_ISREG(status.st_mode)) return write_into(name, parts);
  const std::string unfinished = name + ".part";
  const int descriptor = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return failed(unfinished, "opening for writing", errno);
  Result<void> written;
  for (const auto part : parts) {
    if (written) written = write_all(descriptor, part, unfinished);
  }
  if (written && lasting && ::fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS) {
    written = failed(unfinished, "writing to the disk", errno);
  }
  if (::close(descriptor) != 0 && written) written = failed(unfinished, "closing", errno);
  if (written && ::rename(unfinished.c_str(), name.c_str()) != 0) {
    written = failed(name, "renaming the finished file", errno);
  }
  if (written && lasting) synchronize_folder_of(target);
  if (!written) ::unlink(unfinished.c_str());
  return written;
}

}  // namespace

Result<InputFile> InputFile::open(const std::filesystem::path& path) {
  std::string name = path.string();
  // O_NONBLOCK: opening a pipe without a writer must not wait. It means nothing to a regular file.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return failed(name, "opening for reading", errno);
  InputFile file(descriptor, 0, std::move(name));
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return failed(file.name_, "asking for its size", errno);
  if (!S_ISREG(status.st_mode)) {
    return oracle::fail(ErrorCode::io_error, fmt::format("{}: expected a regular file, got {}",
                                                         file.name_, kind_of(status.st_mode)));
  }
  file.bytes_ = static_cast<std::uint64_t>(status.st_size);
  return file;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      bytes_(other.bytes_),
      name_(std::move(other.name_)) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(bytes_, other.bytes_);
  std::swap(name_, other.name_);
  return *this;
}

Result<void> InputFile::read(std::span<std::uint8_t> to, std::uint64_t offset) const {
  while (!to.empty()) {
    const ssize_t count = ::pread(descriptor_, to.data(), to.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed(name_, fmt::format("reading at byte {}", offset), errno);
    if (count == 0) {
      return oracle::fail(ErrorCode::io_error,
                          fmt::format("{}: expected {} more bytes at byte {}, got end of file",
                                      name_, to.size(), offset));
    }
    to = to.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return {};
}

Result<std::vector<std::uint8_t>> read_file(const std::filesystem::path& path,
                                            std::uint64_t max_bytes) {
  const auto file = InputFile::open(path);
  if (!file) return tl::make_unexpected(file.error());
  if (file->bytes() > max_bytes) {
    return oracle::fail(ErrorCode::malformed, fmt::format("{}: expected at most {} bytes, got {}",
                                                          file->name(), max_bytes, file->bytes()));
  }
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(file->bytes()));
  if (auto read = file->read(bytes, 0); !read) return tl::make_unexpected(read.error());
  return bytes;
}

Result<std::string> read_text_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
  return read_file(path, max_bytes).map([](const std::vector<std::uint8_t>& bytes) {
    return std::string(bytes.begin(), bytes.end());
  });
}

std::string file_state(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return fmt::format("{}:{} {} {}.{} {}.{}", status.st_dev, status.st_ino, status.st_size,
                     status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                     status.st_ctim.tv_nsec);
}

Result<void> write_file(const std::filesystem::path& path,
                        std::span<const std::span<const std::uint8_t>> parts) {
  return write_whole(path, parts, false);
}

Result<void> write_file(const std::filesystem::path& path, std::span<const std::uint8_t> bytes) {
  return write_file(path, std::span(&bytes, 1));
}

Result<void> write_text_file(const std::filesystem::path& path, std::string_view text) {
  const std::span<const std::uint8_t> bytes = bytes_of(text);
  return write_whole(path, std::span(&bytes, 1), true);
}

}  // namespace harness
