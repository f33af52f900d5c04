#include "harness/implementations/program/run_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "harness/implementations/isolation/child_process.hpp"
#include "harness/implementations/isolation/close_descriptors.hpp"

namespace harness {
namespace {

bool can_be_executed(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

// Between fork and exec. It does not outlive the worker, gets no descriptor but the standard ones,
// and SIGPIPE as a program expects it: a worker ignores it, which would be inherited. Sends the
// reason where it cannot be started.
[[noreturn]] void become_program(const char* program, char* const* arguments,
                                 std::array<int, 2> ends, pid_t parent, int failure) {
  constexpr int exec_failed = 127;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(exec_failed);
  ::signal(SIGPIPE, SIG_DFL);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (ends[i] >= 0) ::dup2(ends[i], static_cast<int>(i));
  }
  // The end that says why it could not be started goes last, and with the start.
  constexpr int kept = STDERR_FILENO + 1;
  if (failure != kept) ::dup3(failure, kept, O_CLOEXEC);
  close_from(kept + 1);
  ::execv(program, arguments);
  const int reason = errno;
  static_cast<void>(::write(kept, &reason, sizeof reason) < 0);
  ::_exit(exec_failed);
}

}  // namespace

Result<std::string> find_program(const std::string& word) {
  if (word.find('/') != std::string::npos) {
    if (can_be_executed(word)) return word;
    std::error_code error;
    return oracle::fail(ErrorCode::io_error, fmt::format("{}: {}", word,
                                                         std::filesystem::exists(word, error)
                                                             ? "is no file that may be executed"
                                                             : "no such program"));
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = (folder.empty() ? "." : folder) + "/" + word;
    if (can_be_executed(candidate)) return candidate;
  }
  return oracle::fail(ErrorCode::io_error,
                      fmt::format("{}: no program of this name is on the PATH", word));
}

Result<pid_t> start_program(const std::string& program, const std::vector<std::string>& words,
                            int input, int output) {
  const auto failed = [&](int reason) {
    return oracle::fail(ErrorCode::io_error,
                        fmt::format("{}: cannot be started: {}", program, std::strerror(reason)));
  };
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::array<int, 2> failure{};
  if (::pipe2(failure.data(), O_CLOEXEC) != 0) return failed(errno);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  const int fork_reason = errno;
  if (child == 0) {
    become_program(program.c_str(), arguments.data(), {input, output}, parent, failure[1]);
  }
  ::close(failure[1]);
  int reason = 0;
  // Closed without a word when it was started.
  const bool refused = child >= 0 && ::read(failure[0], &reason, sizeof reason) > 0;
  ::close(failure[0]);
  if (child < 0) return failed(fork_reason);
  if (!refused) return child;
  ::waitpid(child, nullptr, 0);
  return failed(reason);
}

Status run_program(const std::vector<std::string>& words) {
  const Result<std::string> program = find_program(words.front());
  if (!program) return tl::make_unexpected(program.error());
  const Result<pid_t> child = start_program(*program, words, -1, -1);
  if (!child) return tl::make_unexpected(child.error());
  int status = 0;
  while (::waitpid(*child, &status, 0) < 0) {
    if (errno == EINTR) continue;
    return oracle::fail(ErrorCode::io_error, fmt::format("waitpid: {}", std::strerror(errno)));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return oracle::fail(
      ErrorCode::device_error,
      (WIFSIGNALED(status) ? "the program was " : "the program ") + describe_ending(status));
}

}  // namespace harness
