#include "harness/implementations/devices/gpu_device.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/implementations/devices/launch_check.hpp"

namespace harness {
namespace {

// "harness/implementations/devices/cuda.cpp" of whatever path the compiler was given.
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

Result<double> GpuDevice::after_call(const Status& done, const Status& waited,
                                     Result<double> seconds) {
  if (!done && !waited) {
    return oracle::fail(
        waited.error().code,
        fmt::format("{}; the call said: {}", waited.error().message, done.error().message));
  }
  if (!done) return tl::make_unexpected(done.error());
  if (!seconds) return seconds;  // the first to see what broke
  if (!waited) return tl::make_unexpected(waited.error());
  return seconds;
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
    Result<void*> loaded =
        load_module(image_of(entry)->begin, fmt::format("module {}", entry.module));
    if (!loaded) return loaded;
    module = modules_.emplace(entry.module, *loaded).first;
  }
  Result<void*> function = find_function(module->second, std::string(entry.name));
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
  LaunchShape shape;
  shape.grid[0] = static_cast<std::uint32_t>(blocks);
  shape.threads[0] = entry.threads_per_block;
  return run(*function, fmt::format("{}, {} blocks", entry.name, blocks), shape, arguments);
}

Result<LoadedKernel> GpuDevice::load_kernel(std::span<const std::uint8_t> image,
                                            const std::string& name, const std::string& entry) {
  if (const Status status = begin(); !status) return tl::make_unexpected(status.error());
  return load_module(image.data(), name)
      .and_then([&](void* module) { return find_function(module, entry); })
      .map([&](void* function) {
        return LoadedKernel{entry, function};
      });
}

Result<double> GpuDevice::launch(const LoadedKernel& kernel, const LaunchShape& shape,
                                 std::span<const std::uint8_t> parameters) {
  if (const Status status = begin(); !status) return tl::make_unexpected(status.error());
  if (std::find(shape.grid.begin(), shape.grid.end(), 0U) != shape.grid.end()) return 0.0;
  if (const Status status = allow_shared_bytes(kernel.function, kernel.name, shape.shared_bytes);
      !status) {
    return tl::make_unexpected(status.error());
  }
  return run(kernel.function,
             fmt::format("{}, grid [{}], {} threads", kernel.name, fmt::join(shape.grid, ", "),
                         fmt::join(shape.threads, " x ")),
             shape, parameters);
}

}  // namespace harness
