#include "harness/run/memory_needs.hpp"

#include <fmt/format.h>

#include "harness/suite/operations/held_bytes.hpp"

namespace harness {
namespace {

// In sizes of a case's device memory, what is held once: the problem, and what is expected for both
// fills.
constexpr std::uint64_t shared_copies = 3;
// And for each device: the memory between judge and worker, which is also what a kernel on the CPU
// works on, and what it gave.
constexpr std::uint64_t device_copies = 2;
// Judge, worker and runtimes themselves.
constexpr std::uint64_t spare_bytes = std::uint64_t{512} << 20;
constexpr std::uint64_t worth_asking_bytes = std::uint64_t{256} << 20;

}  // namespace

std::uint64_t judging_bytes(const Operation& operation, const Case& from, std::uint64_t devices) {
  return held_bytes(operation, from) * (shared_copies + device_copies * devices) +
         spare_bytes * devices;
}

bool is_worth_asking(std::uint64_t judging_bytes) {
  return judging_bytes >= spare_bytes + worth_asking_bytes;
}

std::string in_gibibytes(std::uint64_t bytes) {
  constexpr double gibi = 1024.0 * 1024 * 1024;
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / gibi);
}

}  // namespace harness
