// The worker as a process, and the keeper before it: started by exec, alone in their process group,
// dead with their parent. What they may not do: read this process, or leave anything running.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "harness/model/result.hpp"

namespace harness {

// The descriptor under which a worker finds its connection.
inline constexpr int worker_socket = 3;
inline constexpr const char* worker_argument = "worker";

// Of what waitpid gives: "killed by SIGSEGV", "exited with status 3".
std::string describe_ending(int wait_status);

class ChildProcess {
 public:
  struct Setup {
    std::string executable;
    int socket = -1;
    int output = -1;                       // gets what the child writes to stdout and stderr
    std::uint64_t memory_limit_bytes = 0;  // 0: none
  };
  // Error: fork failed. A failed exec is an exit status of 127.
  static Result<ChildProcess> start(const Setup& setup);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  // Ends it with all that it has started.
  ~ChildProcess();

  // How it ended, where it has within `seconds`.
  std::optional<std::string> ended(double seconds);

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}
  pid_t pid_ = -1;
  std::optional<std::string> ending_;
};

}  // namespace harness
