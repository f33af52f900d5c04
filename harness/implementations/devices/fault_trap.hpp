// Turns an invalid access (SIGSEGV, SIGBUS) of a kernel's host form into a value. A kernel holds no
// lock and owns nothing, so that it can be left in the middle; where anything else runs under the
// trap, the process is to be given up after a fault.
// A fault outside of it goes to the handler that was there before.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace harness {

struct Fault {
  enum class Access : std::uint8_t { unknown, read, write };
  std::optional<std::uint64_t> address;  // empty: no address that the processor can form
  Access access = Access::unknown;       // known on x86-64
};

// The handler is in place while one of these lives, in all threads.
class FaultTrap {
 public:
  FaultTrap();
  ~FaultTrap();
  FaultTrap(const FaultTrap&) = delete;
  FaultTrap& operator=(const FaultTrap&) = delete;

  // Calls body in this thread and returns the fault that ended it, if one did.
  static std::optional<Fault> run(const std::function<void()>& body);
};

}  // namespace harness
