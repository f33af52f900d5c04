#include "harness/implementations/devices/fault_trap.hpp"

#include <ucontext.h>

#include <array>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <mutex>

namespace harness {
namespace {

constexpr std::array<int, 2> trapped_signals{SIGSEGV, SIGBUS};

thread_local sigjmp_buf* way_back = nullptr;  // null: no kernel runs in this thread
thread_local Fault last_fault;

std::mutex installing;
unsigned installed = 0;
std::array<struct sigaction, trapped_signals.size()> before;

Fault::Access access_of(const void* context) {
#if defined(__x86_64__)
  // Bit 1 of the page fault's error code is set for a write.
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  return (registers[REG_ERR] & 2) != 0 ? Fault::Access::write : Fault::Access::read;
#else
  static_cast<void>(context);
  return Fault::Access::unknown;
#endif
}

extern "C" void on_fault(int signal, siginfo_t* info, void* context) {
  // A signal that a process sent (raise, kill) is no access.
  if (way_back != nullptr && info->si_code > 0) {
    // Of a non-canonical address the kernel tells neither the address nor the access.
    last_fault = Fault{};
    if (info->si_code != SI_KERNEL) {
      last_fault = {reinterpret_cast<std::uint64_t>(info->si_addr), access_of(context)};
    }
    siglongjmp(*way_back, 1);
  }
  // Not a kernel's: the instruction faults again under the handler that was there before. What was
  // sent is not repeated by itself.
  for (std::size_t i = 0; i < trapped_signals.size(); ++i) {
    if (trapped_signals[i] == signal) sigaction(signal, &before[i], nullptr);
  }
  if (info->si_code <= 0) static_cast<void>(raise(signal));
}

}  // namespace

FaultTrap::FaultTrap() {
  const std::lock_guard lock(installing);
  if (installed++ != 0) return;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < trapped_signals.size(); ++i) {
    sigaction(trapped_signals[i], &action, &before[i]);
  }
}

FaultTrap::~FaultTrap() {
  const std::lock_guard lock(installing);
  if (--installed != 0) return;
  for (std::size_t i = 0; i < trapped_signals.size(); ++i) {
    sigaction(trapped_signals[i], &before[i], nullptr);
  }
}

std::optional<Fault> FaultTrap::run(const std::function<void()>& body) {
  sigjmp_buf here;
  const struct Forget {
    Forget() = default;
    ~Forget() { way_back = nullptr; }  // also where the body throws
    Forget(const Forget&) = delete;
    Forget& operator=(const Forget&) = delete;
  } forget;
  if (sigsetjmp(here, 1) != 0) return last_fault;
  way_back = &here;
  body();
  return std::nullopt;
}

}  // namespace harness
