#include "harness/implementations/isolation/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

namespace harness {
namespace {

constexpr int exec_failed = 127;

void limit(int resource, std::uint64_t bytes) {
  const rlimit value{bytes, bytes};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &value);
}

// By number: glibc has the call since 2.34, Linux since 5.9.
void close_from(int first) {
  if (::syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  for (rlim_t i = static_cast<rlim_t>(first); i < files.rlim_cur; ++i) {
    ::close(static_cast<int>(i));
  }
}

// "SEGV"; glibc has sigabbrev_np since 2.32.
std::string_view signal_name(int signal) {
  static constexpr std::pair<int, std::string_view> names[] = {
      {SIGHUP, "HUP"},   {SIGINT, "INT"},   {SIGQUIT, "QUIT"}, {SIGILL, "ILL"},   {SIGTRAP, "TRAP"},
      {SIGABRT, "ABRT"}, {SIGBUS, "BUS"},   {SIGFPE, "FPE"},   {SIGKILL, "KILL"}, {SIGUSR1, "USR1"},
      {SIGSEGV, "SEGV"}, {SIGUSR2, "USR2"}, {SIGPIPE, "PIPE"}, {SIGALRM, "ALRM"}, {SIGTERM, "TERM"},
      {SIGXCPU, "XCPU"}, {SIGXFSZ, "XFSZ"}, {SIGSYS, "SYS"}};
  for (const auto& [number, name] : names) {
    if (number == signal) return name;
  }
  return {};
}

// Between fork and exec: only calls that are safe after a fork of a threaded process.
[[noreturn]] void become_worker(const ChildProcess::Setup& setup, pid_t parent) {
  ::setpgid(0, 0);  // out of reach of the terminal's Ctrl-C, and killed as a group
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(exec_failed);  // it died before the line above
  // The descriptors may lie on each other's final places: first out of the way, then into place.
  constexpr int out_of_the_way = 16;
  const std::array from{::open("/dev/null", O_RDONLY), setup.output, setup.output, setup.socket,
                        setup.memory};
  std::array<int, from.size()> moved{};
  for (std::size_t i = 0; i < from.size(); ++i) {
    moved[i] = ::fcntl(from[i], F_DUPFD, out_of_the_way);
  }
  for (std::size_t i = 0; i < from.size(); ++i) ::dup2(moved[i], static_cast<int>(i));
  close_from(worker_memory + 1);
  limit(RLIMIT_CORE, 0);  // a crash is a result: no gigabytes on disk for each
  if (setup.memory_limit_bytes != 0) limit(RLIMIT_DATA, setup.memory_limit_bytes);
  ::execl(setup.executable.c_str(), setup.executable.c_str(), worker_argument, nullptr);
  ::_exit(exec_failed);
}

}  // namespace

std::string describe_ending(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    const std::string_view name = signal_name(signal);
    return !name.empty() ? fmt::format("killed by SIG{}", name)
                         : fmt::format("killed by signal {}", signal);
  }
  return fmt::format("exited with status {}", WEXITSTATUS(wait_status));
}

Result<ChildProcess> ChildProcess::start(const Setup& setup) {
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) {
    return oracle::fail(ErrorCode::io_error,
                        fmt::format("cannot start a worker: fork: {}", std::strerror(errno)));
  }
  if (pid == 0) become_worker(setup, parent);
  ::setpgid(pid, pid);  // as the child does: whoever is first
  return ChildProcess(pid);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), ending_(std::move(other.ending_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(ending_, other.ending_);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (pid_ < 0) return;
  ::kill(-pid_, SIGKILL);
  // A process inside a driver call may not die at once, or at all; it is not waited for for ever.
  constexpr double patience_seconds = 5;
  ended(patience_seconds);
}

std::optional<std::string> ChildProcess::ended(double seconds) {
  if (pid_ < 0 || ending_) return ending_;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    int status = 0;
    const pid_t answer = ::waitpid(pid_, &status, WNOHANG);
    if (answer == pid_) {
      ending_ = describe_ending(status);
      // What it started may outlive it; the group's number stays taken as long as one does.
      ::kill(-pid_, SIGKILL);
      return ending_;
    }
    if (answer < 0 && errno != EINTR) {
      ending_ = fmt::format("lost: waitpid: {}", std::strerror(errno));
      return ending_;
    }
    if (std::chrono::steady_clock::now() >= deadline) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace harness
