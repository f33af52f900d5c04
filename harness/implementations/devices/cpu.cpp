#include "harness/implementations/devices/cpu.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include "harness/implementations/devices/edged_memory.hpp"
#include "harness/implementations/devices/fault_trap.hpp"
#include "harness/implementations/devices/grid.hpp"
#include "harness/implementations/devices/launch_check.hpp"
#include "harness/implementations/devices/parallel.hpp"
#include "harness/model/elapsed.hpp"

namespace harness {
namespace {

constexpr std::string_view compiler =
#if defined(__clang__)
    "clang++ " __clang_version__;
#else
    "g++ " __VERSION__;
#endif

constexpr std::string_view architecture =
#if defined(__x86_64__)
    "x86-64";
#elif defined(__aarch64__)
    "aarch64";
#else
        "host";
#endif

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

// The memory of the machine, or less where a control group says so.
std::uint64_t memory_bytes() {
  std::uint64_t bytes =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * std::uint64_t{host_page_bytes()};
  for (const char* limit :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(limit);
    std::uint64_t value = 0;
    if (file >> value) bytes = std::min(bytes, value);  // "max" is no number
  }
  return bytes;
}

// memcpy on all cores.
void copy_bytes(std::uint8_t* to, const std::uint8_t* from, std::uint64_t bytes) {
  constexpr std::uint64_t worth_a_thread = std::uint64_t{4} << 20;
  for_each_range(bytes, worth_a_thread, [=](std::uint64_t begin, std::uint64_t end) {
    std::memcpy(to + begin, from + begin, end - begin);
  });
}

// NOLINTNEXTLINE(performance-no-int-to-ptr): an address is a number to the harness
std::uint8_t* pointer(DeviceAddress address) { return reinterpret_cast<std::uint8_t*>(address); }

class Cpu final : public Device {
 public:
  Cpu() : info_(cpu_info()) {}

  const DeviceInfo& info() const override { return info_; }

  Result<DeviceAddress> allocate(std::uint64_t bytes) override {
    Result<EdgedMemory> memory = EdgedMemory::map(bytes);
    if (!memory) return tl::make_unexpected(memory.error());
    const auto address = reinterpret_cast<DeviceAddress>(memory->data());
    allocations_.emplace(address, std::move(*memory));
    return address;
  }

  bool shares_host_memory() const override { return true; }

  Result<DeviceAddress> share(int descriptor, std::uint64_t offset, std::uint64_t bytes) override {
    Result<EdgedMemory> memory = EdgedMemory::map_file(descriptor, offset, bytes);
    if (!memory) return tl::make_unexpected(memory.error());
    const auto address = reinterpret_cast<DeviceAddress>(memory->data());
    allocations_.emplace(address, std::move(*memory));
    return address;
  }

  Status release(DeviceAddress address) override {
    if (allocations_.erase(address) == 0) {
      return oracle::fail(ErrorCode::invalid_argument,
                          fmt::format("cpu: release: 0x{:x} was not allocated", address));
    }
    return {};
  }

  std::uint64_t edge_granularity() const override { return host_page_bytes(); }

  Status write(DeviceAddress to, std::span<const std::uint8_t> from) override {
    copy_bytes(pointer(to), from.data(), from.size());
    return {};
  }

  Status read(std::span<std::uint8_t> to, DeviceAddress from) override {
    copy_bytes(to.data(), pointer(from), to.size());
    return {};
  }

  Result<double> copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) override {
    const auto start = std::chrono::steady_clock::now();
    copy_bytes(pointer(to), pointer(from), bytes);
    return seconds_since(start);
  }

  const kernels::Image* image_of(const kernels::Entry&) const override { return nullptr; }

  std::string unavailable(const kernels::Entry& entry) const override {
    if (entry.host != nullptr) return {};
    return "has no host form: it is made of instructions that only a GPU has";
  }

  Result<double> launch(const kernels::Entry& entry, std::span<const std::uint8_t> arguments,
                        std::uint64_t blocks) override {
    fault_.reset();
    beyond_ = false;
    if (const Status status = check_launch(entry, arguments, blocks); !status) {
      return tl::make_unexpected(status.error());
    }
    if (entry.host == nullptr) {
      return oracle::fail(ErrorCode::device_error,
                          fmt::format("cpu: launch of {}: {}", entry.name, unavailable(entry)));
    }
    // Aligned for any struct, as the bytes of a span need not be.
    std::vector<std::max_align_t> aligned(arguments.size() / sizeof(std::max_align_t) + 1);
    if (!arguments.empty()) std::memcpy(aligned.data(), arguments.data(), arguments.size());
    const auto start = std::chrono::steady_clock::now();
    const std::optional<GridFault> fault = run_grid(entry, aligned.data(), blocks);
    const double seconds = seconds_since(start);
    if (fault) {
      return failure(fault->fault, fmt::format("cpu: launch of {}: block {}, thread {}", entry.name,
                                               fault->block, fault->thread));
    }
    return seconds;
  }

  // A fault of `work` in this thread ends it where it is: nothing else should be called afterwards,
  // because it may hold locks.
  Result<double> call(const std::function<Status(void* stream)>& work) override {
    fault_.reset();
    beyond_ = false;
    Status status;
    const FaultTrap trap;
    const auto start = std::chrono::steady_clock::now();
    const std::optional<Fault> fault = FaultTrap::run([&] { status = work(nullptr); });
    const double seconds = seconds_since(start);
    if (fault) return failure(*fault, "cpu");
    if (!status) return tl::make_unexpected(status.error());
    return seconds;
  }

  std::optional<DeviceAddress> faulting_address() const override { return fault_; }
  bool faulted_beyond_addresses() const override { return beyond_; }

 private:
  tl::unexpected<Error> failure(const Fault& fault, const std::string& whose) {
    fault_ = fault.address;
    beyond_ = !fault_;
    const char* what = fault.access == Fault::Access::read    ? "read"
                       : fault.access == Fault::Access::write ? "write"
                                                              : "access";
    const std::string where =
        fault_ ? fmt::format("0x{:x}", *fault_) : "an address that does not exist";
    return oracle::fail(ErrorCode::device_error,
                        fmt::format("{}: invalid {} at {}", whose, what, where));
  }

  DeviceInfo info_;
  std::map<DeviceAddress, EdgedMemory> allocations_;
  std::optional<DeviceAddress> fault_;
  bool beyond_ = false;  // the last launch faulted at an address that does not exist
};

}  // namespace

DeviceInfo cpu_info() {
  DeviceInfo info;
  info.name = "cpu";
  info.architecture = architecture;
  info.memory_bytes = memory_bytes();
  const std::string processor = processor_name();
  info.description =
      fmt::format("{}, {} core{}, {:.0f} GiB", processor, core_count(),
                  core_count() == 1 ? "" : "s", static_cast<double>(info.memory_bytes) / (1 << 30));
  info.facts = {{"processor", processor},
                {"architecture", architecture},
                {"cores", core_count()},
                {"memory_bytes", info.memory_bytes},
                {"compiler", compiler}};
  return info;
}

std::unique_ptr<Device> open_cpu() { return std::make_unique<Cpu>(); }

}  // namespace harness
