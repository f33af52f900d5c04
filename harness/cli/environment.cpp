#include "harness/cli/environment.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "harness/cli/host_system.hpp"
#include "harness/cli/version.hpp"

namespace harness::cli {
namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("model name") || line.starts_with("Model")) {
      const std::size_t value = line.find_first_not_of(" \t", line.find(':') + 1);
      if (value != std::string::npos) return line.substr(value);
    }
  }
  return "unknown";
}

unsigned usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

std::uint64_t host_memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page_bytes > 0
             ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes)
             : 0;
}

}  // namespace

nlohmann::ordered_json environment() {
  utsname system{};
  ::uname(&system);
  nlohmann::ordered_json facts{
      {"host", system.nodename},
      {"cpu", cpu_model()},
      {"cores", usable_cores()},
      {"memory_bytes", host_memory_bytes()},
      {"os_release", os_release("/")},
      {"container", container("/", [](const char* name) { return std::getenv(name); })},
      {"kernel", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
      {"compiler", compiler()},
      {"build_type", build_type()},
      {"host_flags", host_flags()},
      {"device_flags", device_flags()}};
  if (const char* const worker = std::getenv("FP4CTS_WORKER")) {
    facts["worker_named_by"] = fmt::format("FP4CTS_WORKER={}", worker);
  }
  return facts;
}

}  // namespace harness::cli
