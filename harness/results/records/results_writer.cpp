#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/results/records/results_file.hpp"

namespace harness {
namespace {

constexpr mode_t readable_by_all = 0644;

tl::unexpected<Error> failed(std::string_view what, const std::string& path) {
  return oracle::fail(ErrorCode::io_error,
                      fmt::format("{} {}: {}", what, path, std::strerror(errno)));
}

// Where a file system has no locks there is none.
Status lock(int file, const std::string& path) {
  if (::flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return {};
  return oracle::fail(ErrorCode::io_error, path + " is being written by another run");
}

// Whether the first line, which is the header, is whole.
bool has_header(int file) {
  std::array<char, 1 << 16> text{};
  off_t at = 0;
  for (;;) {
    const ssize_t count = ::pread(file, text.data(), text.size(), at);
    if (count <= 0) return false;
    if (std::memchr(text.data(), '\n', static_cast<std::size_t>(count)) != nullptr) return true;
    at += count;
  }
}

Result<Sha256> digest_of(int file, const std::string& path) {
  Sha256 digest;
  std::array<char, 1 << 16> text{};
  off_t at = 0;
  for (;;) {
    const ssize_t count = ::pread(file, text.data(), text.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("cannot read", path);
    if (count == 0) return digest;
    digest.update(std::string_view(text.data(), static_cast<std::size_t>(count)));
    at += count;
  }
}

}  // namespace

std::string results_path(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    return fmt::format("{}/{}", path, results_file_name);
  }
  return path;
}

Result<ResultsWriter> ResultsWriter::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC);
  if (file < 0) return failed("cannot write", path);
  ResultsWriter writer(path, file);
  if (Status status = lock(file, path); !status) return tl::make_unexpected(status.error());
  return writer;
}

Result<ResultsWriter> ResultsWriter::create(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, readable_by_all);
  if (file < 0) return failed("cannot create", path);
  ResultsWriter writer(path, file);
  if (Status status = lock(file, path); !status) return tl::make_unexpected(status.error());
  if (has_header(file)) {
    return oracle::fail(ErrorCode::io_error, path + " is there already");
  }
  if (Status status = writer.keep(0); !status) return tl::make_unexpected(status.error());
  return writer;
}

Status ResultsWriter::keep(std::uint64_t keep_bytes) {
  if (::ftruncate(file_, static_cast<off_t>(keep_bytes)) != 0) return failed("cannot cut", path_);
  Result<Sha256> kept = digest_of(file_, path_);
  if (!kept) return tl::make_unexpected(kept.error());
  written_ = *std::move(kept);
  return {};
}

ResultsWriter::ResultsWriter(ResultsWriter&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      written_(std::move(other.written_)) {}

ResultsWriter& ResultsWriter::operator=(ResultsWriter&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  std::swap(written_, other.written_);
  return *this;
}

ResultsWriter::~ResultsWriter() {
  if (file_ >= 0) ::close(file_);
}

Status ResultsWriter::write(const nlohmann::ordered_json& record) {
  const auto kind = record.find("record");
  const bool lasting = kind != record.end() && (*kind == "header" || *kind == "end");
  return write(record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n',
               lasting);
}

Status ResultsWriter::write_line(std::string line) {
  line += '\n';
  return write(line, false);
}

Status ResultsWriter::write(const std::string& line, bool lasting) {
  written_.update(std::string_view(line));
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = ::write(file_, line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return failed("cannot write", path_);
    written += static_cast<std::size_t>(count);
  }
  // To wait for the disk after each of thousands would take longer than judging them.
  constexpr std::chrono::seconds at_risk(5);
  const bool due = std::chrono::steady_clock::now() - synchronized_ > at_risk;
  return lasting || due ? synchronize() : Status{};
}

Status ResultsWriter::check_unchanged() {
  Result<Sha256> found = digest_of(file_, path_);
  if (!found) return tl::make_unexpected(found.error());
  if (found->hex() == written_.hex()) return {};
  return oracle::fail(ErrorCode::io_error,
                      path_ + " was changed by somebody else while the run wrote it");
}

Status ResultsWriter::synchronize() {
  synchronized_ = std::chrono::steady_clock::now();
  // EINVAL: what is no file of a disk has nothing to wait for.
  if (::fdatasync(file_) == 0 || errno == EINVAL || errno == EROFS) return {};
  return failed("cannot write", path_);
}

}  // namespace harness
