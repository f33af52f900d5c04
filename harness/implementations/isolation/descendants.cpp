#include "harness/implementations/isolation/descendants.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>

namespace harness {
namespace {

// The parent in "/proc/PID/stat": the second word behind the name, which may hold anything and ends
// with the last ')'. 0 where the process is gone.
pid_t parent_of(const char* pid) {
  const std::string path = std::string("/proc/") + pid + "/stat";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 512> text{};
  const ssize_t count = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  const char* name_end = count > 0 ? std::strrchr(text.data(), ')') : nullptr;
  if (name_end == nullptr) return 0;
  char state = 0;
  int parent = 0;
  return std::sscanf(name_end + 1, " %c %d", &state, &parent) == 2 ? parent : 0;
}

}  // namespace

std::vector<pid_t> children_of_this_process() {
  std::vector<pid_t> children;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc"), ::closedir);
  if (!folder) return children;
  const pid_t self = ::getpid();
  while (const dirent* entry = ::readdir(folder.get())) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    if (parent_of(entry->d_name) == self) children.push_back(std::atoi(entry->d_name));
  }
  return children;
}

void end_children(const std::function<bool(pid_t)>& spared, double seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    std::vector<pid_t> children = children_of_this_process();
    children.erase(std::remove_if(children.begin(), children.end(), spared), children.end());
    if (children.empty()) return;
    for (const pid_t child : children) ::kill(child, SIGKILL);
    // One that is in the middle of a driver's call may take its time.
    for (const pid_t child : children) {
      while (::waitpid(child, nullptr, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() >= deadline) return;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
    }
  }
}

}  // namespace harness
