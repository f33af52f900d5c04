#include "harness/implementations/devices/cuda_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <string>

namespace harness::cuda {
namespace {

std::string uuid_text(const Uuid& uuid) {
  std::string text = "GPU-";
  for (std::size_t i = 0; i < std::size(uuid.bytes); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", uuid.bytes[i]);
  }
  return text;
}

// "0000:3b:00.0", as the kernel writes it: CUDA has its digits in capitals.
std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

}  // namespace

bool ptx_is_forced() {
  const char* const value = std::getenv("CUDA_FORCE_PTX_JIT");
  return value != nullptr && std::string_view(value) == "1";
}

Result<Properties> properties_of(const Driver& d, int ordinal) {
  Properties p;
  std::array<char, 256> name{};
  std::array<char, 32> address{};
  Uuid uuid{};
  std::size_t memory = 0;
  int processors = 0;
  int ecc = 0;
  int virtual_memory = 0;
  std::string failed;
  const auto call = [&](Code code, const char* what) {
    if (code != success && failed.empty()) {
      failed = fmt::format("cuda:{}: {}: {}", ordinal, what, d.error_name(code));
    }
  };
  const auto attribute = [&](int& value, int which) {
    call(d.cuDeviceGetAttribute(&value, which, p.device), "cuDeviceGetAttribute");
  };
  call(d.cuDeviceGet(&p.device, ordinal), "cuDeviceGet");
  call(d.cuDeviceGetName(name.data(), static_cast<int>(name.size() - 1), p.device),
       "cuDeviceGetName");
  call(d.cuDeviceGetUuid(&uuid, p.device), "cuDeviceGetUuid");
  call(d.cuDeviceGetPCIBusId(address.data(), static_cast<int>(address.size() - 1), p.device),
       "cuDeviceGetPCIBusId");
  call(d.cuDeviceTotalMem(&memory, p.device), "cuDeviceTotalMem");
  attribute(p.capability.major, attribute_capability_major);
  attribute(p.capability.minor, attribute_capability_minor);
  attribute(processors, attribute_multiprocessor_count);
  attribute(ecc, attribute_ecc_enabled);
  attribute(virtual_memory, attribute_virtual_memory_management);
  if (!failed.empty()) return oracle::fail(ErrorCode::device_error, failed);

  p.virtual_memory = virtual_memory != 0;
  const std::string capability = to_string(p.capability);
  const std::string release = to_string(d.release());
  p.info.name = fmt::format("cuda:{}", ordinal);
  p.info.architecture = fmt::format("sm_{}{}", p.capability.major, p.capability.minor);
  p.info.memory_bytes = memory;
  p.info.description =
      fmt::format("{}, compute capability {}, {:.0f} GiB, driver {} (CUDA {})", name.data(),
                  capability, static_cast<double>(memory) / (1 << 30), d.driver_number, release);
  p.info.facts = {{"gpu", name.data()},
                  {"uuid", uuid_text(uuid)},
                  {"pci", lower(address.data())},
                  {"compute_capability", capability},
                  {"multiprocessors", processors},
                  {"memory_bytes", memory},
                  {"ecc", ecc != 0},
                  {"driver", d.driver_number},
                  {"cuda", release}};
  if (ptx_is_forced()) {
    p.info.description += ", through PTX (CUDA_FORCE_PTX_JIT)";
    p.info.facts["code"] = "PTX, by CUDA_FORCE_PTX_JIT";
  }
  say_who_named_it(p.info.facts, cuda_library_variable);
  return p;
}

Result<int> device_count(const Driver& d) {
  int count = 0;
  const Code code = d.cuDeviceGetCount(&count);
  if (code != success) {
    return oracle::fail(ErrorCode::device_absent,
                        fmt::format("cuDeviceGetCount: {}", d.error_name(code)));
  }
  if (count == 0) {
    return oracle::fail(ErrorCode::device_absent, "the driver is here and finds no GPU");
  }
  return count;
}

}  // namespace harness::cuda
