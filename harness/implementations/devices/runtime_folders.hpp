// Where runtimes lie that the loader does not know of: ROCm's own folders, those of its Python
// wheels, the driver of WSL.
#pragma once

#include <filesystem>
#include <vector>

namespace harness {

// Existing folders, in the order of search; `root` is "/" but in tests. Of ROCm: $ROCM_PATH/lib,
// /opt/rocm/lib, /opt/rocm-*/lib with the newest name first, then the wheels (rocm_sdk, torch) of
// $VIRTUAL_ENV and $CONDA_PREFIX.
std::vector<std::filesystem::path> rocm_folders(const std::filesystem::path& root = "/");
// Of CUDA's driver: WSL's, and that of containers and distributions that leave the loader's cache
// alone. No wheel has libcuda: it belongs to the driver.
std::vector<std::filesystem::path> cuda_folders(const std::filesystem::path& root = "/");

}  // namespace harness
