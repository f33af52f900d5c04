#include "harness/implementations/program/run_program.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "harness/implementations/isolation/child_process.hpp"

namespace harness {
namespace {

bool can_be_executed(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

// SIGPIPE as a program expects it: a worker ignores it, which would be inherited.
class Attributes {
 public:
  Attributes() {
    ::posix_spawnattr_init(&attributes_);
    sigset_t broken_pipe;
    ::sigemptyset(&broken_pipe);
    ::sigaddset(&broken_pipe, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes_, &broken_pipe);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

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

Status run_program(const std::vector<std::string>& words) {
  const Result<std::string> program = find_program(words.front());
  if (!program) return tl::make_unexpected(program.error());
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const Attributes attributes;
  pid_t child = -1;
  const int failure = ::posix_spawn(&child, program->c_str(), nullptr, attributes.get(),
                                    arguments.data(), ::environ);
  if (failure != 0) {
    return oracle::fail(ErrorCode::io_error,
                        fmt::format("{}: cannot be started: {}", *program, std::strerror(failure)));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno == EINTR) continue;
    return oracle::fail(ErrorCode::io_error, fmt::format("waitpid: {}", std::strerror(errno)));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return oracle::fail(
      ErrorCode::device_error,
      (WIFSIGNALED(status) ? "the program was " : "the program ") + describe_ending(status));
}

}  // namespace harness
