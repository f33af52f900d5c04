// Where runtimes lie that the loader does not know of: ROCm's own folders, those of its Python
// wheels, the driver of WSL.
#pragma once

#include <filesystem>
#include <vector>

namespace harness {

// Folders in the order of search, those that a variable names and those that exist; `root` is "/"
// but in tests, `program` this program. Of ROCm: $ROCM_PATH/lib and $HIP_PATH/lib; /opt/rocm/lib;
// /opt/rocm-*/lib with the newest version first; then the wheels (rocm_sdk, torch) of $VIRTUAL_ENV
// and $CONDA_PREFIX, of the Python that fp4cts itself is installed in, of ~/.local, /opt/venv and
// the system.
std::vector<std::filesystem::path> rocm_folders(
    const std::filesystem::path& root = "/",
    const std::filesystem::path& program = "/proc/self/exe");
// Of CUDA's driver and NVML: WSL's, and those of containers, boards and distributions that leave
// the loader's cache alone. No wheel has libcuda: it belongs to the driver.
std::vector<std::filesystem::path> cuda_folders(const std::filesystem::path& root = "/");

}  // namespace harness
