#include "harness/implementations/program/serving_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <utility>

#include "harness/implementations/isolation/child_process.hpp"
#include "harness/implementations/program/run_program.hpp"

namespace harness {
namespace {

constexpr std::size_t max_line_bytes = std::size_t{1} << 16;

tl::unexpected<Error> system_error(const char* call) {
  return oracle::fail(ErrorCode::io_error, fmt::format("{}: {}", call, std::strerror(errno)));
}

// What follows the word, where the line begins with it.
std::optional<std::string> after(const std::string& word, const std::string& line) {
  if (line == word) return std::string();
  if (line.starts_with(word + ' ')) return line.substr(word.size() + 1);
  return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<ServingProgram>> ServingProgram::start(
    const std::vector<std::string>& words) {
  const Result<std::string> program = find_program(words.front());
  if (!program) return tl::make_unexpected(program.error());
  std::array<int, 2> to_program{};
  std::array<int, 2> from_program{};
  if (::pipe2(to_program.data(), O_CLOEXEC) != 0) return system_error("pipe");
  std::unique_ptr<ServingProgram> serving(new ServingProgram);
  serving->input_ = to_program[1];
  if (::pipe2(from_program.data(), O_CLOEXEC) != 0) {
    ::close(to_program[0]);
    return system_error("pipe");
  }
  serving->output_ = from_program[0];
  const Result<pid_t> pid = start_program(*program, words, to_program[0], from_program[1]);
  ::close(to_program[0]);
  ::close(from_program[1]);
  if (!pid) return tl::make_unexpected(pid.error());
  serving->pid_ = *pid;

  const Result<std::string> line = serving->read_line();
  if (!line) return tl::make_unexpected(line.error());
  if (const auto why = after("unavailable", *line)) {
    return oracle::fail(ErrorCode::device_absent, *why);
  }
  const auto about = after("ready", *line);
  if (!about) {
    return oracle::fail(ErrorCode::malformed,
                        fmt::format("its first line: expected ready or unavailable, got \"{}\"",
                                    line->substr(0, 200)));
  }
  serving->about_ = *about;
  return serving;
}

ServingProgram::~ServingProgram() {
  if (input_ >= 0) ::close(input_);
  if (output_ >= 0) ::close(output_);
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Status ServingProgram::call(const std::filesystem::path& problem,
                            const std::filesystem::path& answer) {
  const std::string paths = problem.string() + '\t' + answer.string();
  if (paths.find('\n') != std::string::npos || paths.find('\t') != problem.string().size()) {
    return oracle::fail(ErrorCode::invalid_argument,
                        fmt::format("a folder for files with a tab or a line end: {}", paths));
  }
  const std::string request = "call\t" + paths + '\n';
  for (std::size_t sent = 0; sent < request.size();) {
    const ssize_t count = ::write(input_, request.data() + sent, request.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return tl::make_unexpected(ending());
    sent += static_cast<std::size_t>(count);
  }
  const Result<std::string> line = read_line();
  if (!line) return tl::make_unexpected(line.error());
  if (*line == "ok") return {};
  if (const auto why = after("error", *line)) {
    return oracle::fail(ErrorCode::device_error, fmt::format("the program: {}", *why));
  }
  return oracle::fail(
      ErrorCode::malformed,
      fmt::format("the program: expected ok or error, got \"{}\"", line->substr(0, 200)));
}

Result<std::string> ServingProgram::read_line() {
  std::array<char, 4096> buffer{};
  while (true) {
    if (const std::size_t end = unread_.find('\n'); end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    if (unread_.size() > max_line_bytes) {
      return oracle::fail(ErrorCode::malformed,
                          fmt::format("the program: a line of more than {} bytes", max_line_bytes));
    }
    const ssize_t count = ::read(output_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return tl::make_unexpected(ending());
    unread_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

// Its output is closed or its input is: it has ended, or is told to.
Error ServingProgram::ending() {
  ::close(std::exchange(input_, -1));
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0) {
    if (errno != EINTR) return {ErrorCode::io_error, "the program is gone"};
  }
  pid_ = -1;
  return {ErrorCode::device_error,
          (WIFSIGNALED(status) ? "the program was " : "the program ") + describe_ending(status)};
}

}  // namespace harness
