#include "harness/implementations/devices/cuda_driver.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "harness/implementations/boards/board.hpp"
#include "harness/implementations/devices/runtime_folders.hpp"

namespace harness::cuda {

bool is_sticky(Code code) {
  switch (code) {
    case 4:    // DEINITIALIZED
    case 214:  // ECC_UNCORRECTABLE
    case 220:  // NVLINK_UNCORRECTABLE
    case 226:  // CONTAINED
    case 700:  // ILLEGAL_ADDRESS
    case 702:  // LAUNCH_TIMEOUT
    case 709:  // CONTEXT_IS_DESTROYED
    case 710:  // ASSERT
    case 714:  // HARDWARE_STACK_ERROR
    case 715:  // ILLEGAL_INSTRUCTION
    case 716:  // MISALIGNED_ADDRESS
    case 717:  // INVALID_ADDRESS_SPACE
    case 718:  // INVALID_PC
    case 719:  // LAUNCH_FAILED
    case 721:  // TENSOR_MEMORY_LEAK
    case 810:  // MPS_CLIENT_TERMINATED
    case 911:  // EXTERNAL_DEVICE
    case 999:  // UNKNOWN
      return true;
    default:
      return false;
  }
}

std::string Driver::error_name(Code code) const {
  const char* name = nullptr;
  if (cuGetErrorName(code, &name) == success && name != nullptr) return name;
  return fmt::format("CUDA error {}", code);
}

Result<Driver> load_driver() {
  static constexpr std::array<const char*, 1> names{"libcuda.so.1"};
  Result<RuntimeLibrary> opened =
      RuntimeLibrary::open(cuda_library_variable, names, cuda_folders());
  if (!opened) return tl::make_unexpected(opened.error());
  // Never closed: the driver keeps threads of its own.
  const auto& library = *new RuntimeLibrary(std::move(*opened));
  Driver driver{};
  const Status resolved = for_each_function(
      driver, [&](const char* symbol, auto& member) { return library.resolve(symbol, member); });
  if (!resolved) return tl::make_unexpected(resolved.error());
  driver.file_name = library.file_name(reinterpret_cast<const void*>(driver.cuInit));
  for (const auto& [call, code] :
       {std::pair{"cuInit", driver.cuInit(0)},
        std::pair{"cuDriverGetVersion", driver.cuDriverGetVersion(&driver.version)}}) {
    if (code == success) continue;
    return oracle::fail(ErrorCode::device_absent,
                        fmt::format("{}: {}: {}{}", driver.file_name, call, driver.error_name(code),
                                    code == error_no_device ? " (no GPU)" : ""));
  }
  driver.driver_number = nvidia_driver_number();
  return driver;
}

}  // namespace harness::cuda
