// Which GPUs this machine shows, asked of the kernel and not of a runtime: PCI devices, device
// nodes and the drivers' own lists. Where a runtime is missing or broken, that is all that tells a
// machine without a GPU from one whose GPU was not judged.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace harness {

struct SeenGpu {
  std::string kind;  // "cuda", "hip": the runtime that it needs
  std::string what;  // "NVIDIA 10de:2335 at PCI 0000:3b:00.0", "/dev/nvidia0"
};

// Below `root`, "/" but for tests. A GPU shows in one place or several; for each kind the first of
// these that shows any is taken: PCI, device nodes, drivers.
std::vector<SeenGpu> seen_gpus(const std::filesystem::path& root);

}  // namespace harness
