#include "gpu_device.hpp"

#include <fmt/format.h>

#include "launch_check.hpp"

namespace harness {
namespace {

// "harness/devices/cuda.cpp" of whatever path the compiler was given.
std::string_view in_project(std::string_view file) {
  const std::size_t root = file.rfind("harness/");
  return root == std::string_view::npos ? file : file.substr(root);
}

}  // namespace

Status GpuDevice::check(int code, const std::string& call, const char* file, int line) {
  const Meaning said = meaning(code);
  if (said.success) return {};
  std::string message =
      fmt::format("{}: {}: {} ({}:{})", info_.name, call, said.name, in_project(file), line);
  if (said.sticky) {
    lost_ = message;
    return oracle::fail(ErrorCode::device_lost, std::move(message));
  }
  return oracle::fail(said.out_of_memory ? ErrorCode::out_of_memory : ErrorCode::device_error,
                      std::move(message));
}

Status GpuDevice::begin() {
  if (lost_) return oracle::fail(ErrorCode::device_lost, fmt::format("lost before: {}", *lost_));
  return activate();
}

Result<void*> GpuDevice::function_of(const kernels::Entry& entry) {
  const std::pair<std::string, std::string> key{entry.module, entry.name};
  if (const auto known = functions_.find(key); known != functions_.end()) return known->second;
  auto module = modules_.find(entry.module);
  if (module == modules_.end()) {
    Result<void*> loaded = load_module(*image_of(entry));
    if (!loaded) return loaded;
    module = modules_.emplace(entry.module, *loaded).first;
  }
  Result<void*> function = find_function(module->second, entry);
  if (function) functions_.emplace(key, *function);
  return function;
}

Result<double> GpuDevice::launch(const kernels::Entry& entry,
                                 std::span<const std::uint8_t> arguments, std::uint64_t blocks) {
  if (const Status status = check_launch(entry, arguments, blocks); !status) {
    return tl::make_unexpected(status.error());
  }
  if (const std::string reason = unavailable(entry); !reason.empty()) {
    return oracle::fail(ErrorCode::device_error,
                        fmt::format("{}: launch of {}: {}", info_.name, entry.name, reason));
  }
  if (const Status status = begin(); !status) return tl::make_unexpected(status.error());
  const Result<void*> function = function_of(entry);
  if (!function) return tl::make_unexpected(function.error());
  if (blocks == 0) return 0.0;
  return run(*function, entry, arguments, static_cast<unsigned>(blocks));
}

}  // namespace harness
