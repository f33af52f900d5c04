#include "harness/implementations/isolation/keeper.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "harness/implementations/isolation/close_descriptors.hpp"
#include "harness/implementations/isolation/descendants.hpp"

namespace harness {
namespace {

constexpr int cannot_fork = 3;

sigset_t signals_of_keeper() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGCHLD);
  ::sigaddset(&set, SIGTERM);  // the judge is gone, or gives the worker up
  return set;
}

// Where memory runs out the system ends this process, and not the judge.
void offer_to_the_system() {
  constexpr std::string_view most = "1000";
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;  // then it chooses by itself
  static_cast<void>(::write(file, most.data(), most.size()) < 0);
  ::close(file);
}

// Waits for the worker's end or for the word to end it. The worker's wait status.
int wait_for(pid_t worker, const sigset_t& signals) {
  int status = 0;
  for (;;) {
    const pid_t answer = ::waitpid(worker, &status, WNOHANG);
    if (answer == worker || (answer < 0 && errno != EINTR)) return status;
    if (::sigwaitinfo(&signals, nullptr) == SIGTERM) ::kill(worker, SIGKILL);
  }
}

// Ends as the worker did: the judge says how that was.
int end_as(int status) {
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  const int number = WTERMSIG(status);
  ::signal(number, SIG_DFL);
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, number);
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(number);
  return cannot_fork;  // no signal of those that end a process returns
}

}  // namespace

std::optional<int> keep_worker() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const sigset_t signals = signals_of_keeper();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  const pid_t keeper = ::getpid();
  const pid_t worker = ::fork();
  if (worker < 0) {
    std::fprintf(stderr, "worker: fork: %s\n", std::strerror(errno));
    return cannot_fork;
  }
  if (worker == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != keeper) ::_exit(cannot_fork);
    offer_to_the_system();
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    return std::nullopt;
  }
  ::prctl(PR_SET_DUMPABLE, 0);  // nor is it anybody's to steer
  close_from(0);
  const int status = wait_for(worker, signals);
  constexpr double patience_seconds = 3;
  end_children([](pid_t) { return false; }, patience_seconds);
  return end_as(status);
}

}  // namespace harness
