// How much memory this process may still take: the least of what the machine has to give at this
// moment, of the limits of its control groups (v1 and v2, every group on the path of
// /proc/self/cgroup), and of its own address space.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace harness {

struct MemoryRoom {
  std::uint64_t bytes = UINT64_MAX;
  std::string of;  // who says so: "this machine", "control group /jobs/7"
};

// `root` is where /proc and what is mounted are looked for: "/" but in tests.
MemoryRoom memory_room(const std::filesystem::path& root = "/");

// How many processes the system has killed for want of memory, in this control group, those above
// it, and on the machine. It only grows: what died while it did may have been killed by the system.
std::uint64_t oom_kills(const std::filesystem::path& root = "/");

}  // namespace harness
