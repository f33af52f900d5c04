#include "harness/implementations/isolation/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "harness/implementations/isolation/close_descriptors.hpp"
#include "harness/implementations/isolation/descendants.hpp"

namespace harness {
namespace {

constexpr int exec_failed = 127;

void limit(int resource, std::uint64_t bytes) {
  const rlimit value{bytes, bytes};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &value);
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

// The children of this process that are to live: its keepers, and those that it had when it began.
// Any other child is what a keeper has left behind, because it was killed.
class Children {
 public:
  static Children& of_this_process() {
    // Never destroyed: a source that somebody's static holds ends its worker after other statics.
    static auto* const children = new Children;
    return *children;
  }

  // Held from before a fork until the child is known, and while others are ended.
  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }
  void add(pid_t pid) { known_.insert(pid); }
  void remove(pid_t pid) { known_.erase(pid); }
  void end_others() const {
    constexpr double patience_seconds = 1;
    end_children([this](pid_t pid) { return known_.contains(pid); }, patience_seconds);
  }

 private:
  // This process becomes the judge: its memory, which holds the expected bytes, is nobody's to read
  // (PTRACE_ATTACH, /proc/PID/mem), and what loses its parent among its descendants becomes its
  // child.
  Children() {
    ::prctl(PR_SET_DUMPABLE, 0);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (const pid_t pid : children_of_this_process()) add(pid);
  }

  std::mutex mutex_;
  std::set<pid_t> known_;
};

// Between fork and exec: only calls that are safe after a fork of a threaded process.
[[noreturn]] void become_worker(const ChildProcess::Setup& setup, pid_t parent) {
  // Out of reach of the terminal, which it can neither write to nor be interrupted from, and killed
  // as a group.
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // the keeper cleans up
  // Also as root nobody reads the judge.
  ::prctl(PR_CAPBSET_DROP, CAP_SYS_PTRACE);
  if (::getppid() != parent) ::_exit(exec_failed);  // it died before the line above
  // The descriptors may lie on each other's final places: first out of the way, then into place.
  constexpr int out_of_the_way = 16;
  const std::array from{::open("/dev/null", O_RDONLY), setup.output, setup.output, setup.socket};
  std::array<int, from.size()> moved{};
  for (std::size_t i = 0; i < from.size(); ++i) {
    moved[i] = ::fcntl(from[i], F_DUPFD, out_of_the_way);
  }
  for (std::size_t i = 0; i < from.size(); ++i) ::dup2(moved[i], static_cast<int>(i));
  close_from(worker_socket + 1);
  ::signal(SIGXFSZ, SIG_DFL);  // not ignored, as by the judge
  limit(RLIMIT_CORE, 0);       // a crash is a result: no gigabytes on disk for each
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
  Children& children = Children::of_this_process();
  const auto lock = children.lock();
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) {
    return oracle::fail(ErrorCode::out_of_memory,
                        fmt::format("cannot start a worker: fork: {}", std::strerror(errno)));
  }
  if (pid == 0) become_worker(setup, parent);
  children.add(pid);
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
  if (pid_ < 0 || ending_) return;
  // The keeper ends all that there is. Where it does not answer, the group is killed, and what is
  // left over becomes a child of this process. A process inside a driver call may not die at once,
  // or at all; it is not waited for for ever.
  constexpr double patience_seconds = 5;
  ::kill(pid_, SIGTERM);
  if (ended(patience_seconds)) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);  // where it has no group yet
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
      Children& children = Children::of_this_process();
      const auto lock = children.lock();
      children.remove(pid_);
      children.end_others();
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
