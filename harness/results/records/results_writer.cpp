#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

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

}  // namespace

std::string results_path(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    return fmt::format("{}/{}", path, results_file_name);
  }
  return path;
}

Result<ResultsWriter> ResultsWriter::create(const std::string& path) {
  const int file =
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, readable_by_all);
  if (file < 0) return failed("cannot create", path);
  return ResultsWriter(path, file);
}

Result<ResultsWriter> ResultsWriter::resume(const std::string& path, std::uint64_t keep_bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return failed("cannot write", path);
  ResultsWriter writer(path, file);
  if (::ftruncate(file, static_cast<off_t>(keep_bytes)) != 0) return failed("cannot cut", path);
  return writer;
}

ResultsWriter::ResultsWriter(ResultsWriter&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

ResultsWriter& ResultsWriter::operator=(ResultsWriter&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  return *this;
}

ResultsWriter::~ResultsWriter() {
  if (file_ >= 0) ::close(file_);
}

Status ResultsWriter::write(const nlohmann::ordered_json& record) {
  const std::string line =
      record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = ::write(file_, line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return failed("cannot write", path_);
    written += static_cast<std::size_t>(count);
  }
  return {};
}

}  // namespace harness
