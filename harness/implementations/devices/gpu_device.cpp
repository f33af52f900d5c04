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

// What a call came to: what it said itself, what the device said when it was waited for, and the
// time it took. Where both went wrong the device's error goes first, with the call's words.
Result<double> after_call(const Status& done, const Status& waited, Result<double> seconds) {
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

Result<double> GpuDevice::timed(const std::string& what, const std::function<Status()>& work,
                                void* stream) {
  Status status = record_event(0, stream);
  if (status) status = work();
  if (status) status = record_event(1, stream);
  if (status) status = wait_for_end(what);
  if (!status) return tl::make_unexpected(status.error());
  return seconds_between();
}

GpuDevice::HeldBack GpuDevice::held_back() const {
  constexpr std::uint64_t small_bytes = std::uint64_t{1} << 20;
  HeldBack held;
  for (const TensorMemory& tensor : tensors_) {
    if (tensor.role != Role::input || tensor.bytes == 0 || tensor.bytes > small_bytes) continue;
    held.inputs.push_back(tensor);
    held.bytes += tensor.bytes;
  }
  return held;
}

Status GpuDevice::put_aside(const HeldBack& held) {
  if (aside_bytes_ < held.bytes) {
    if (aside_ != 0) {
      if (Status status = release(aside_); !status) return status;
    }
    aside_bytes_ = 0;
    const Result<DeviceAddress> made = allocate(held.bytes);
    if (!made) return tl::make_unexpected(made.error());
    aside_ = *made;
    aside_bytes_ = held.bytes;
  }
  DeviceAddress to = aside_;
  for (const TensorMemory& input : held.inputs) {
    if (Status status = copy_on(stream_, to, input.address, input.bytes); !status) return status;
    if (Status status = zero_on(stream_, input.address, input.bytes); !status) return status;
    to += input.bytes;
  }
  return wait_for_all("before the call");
}

Status GpuDevice::bring_back(const HeldBack& held, const StreamGate& gate) {
  if (Status status = host_function_on(stream_, &StreamGate::wait, gate.pass()); !status) {
    return status;
  }
  DeviceAddress from = aside_;
  for (const TensorMemory& input : held.inputs) {
    if (Status status = copy_on(stream_, input.address, from, input.bytes); !status) return status;
    from += input.bytes;
  }
  return {};
}

Result<double> GpuDevice::call(const std::function<Status(void* stream)>& work) {
  if (const Status status = begin(); !status) return tl::make_unexpected(status.error());
  if (stream_ == nullptr) {
    const Result<void*> made = make_stream();
    if (!made) return tl::make_unexpected(made.error());
    stream_ = *made;
  }
  const HeldBack held = held_back();
  StreamGate gate;
  if (!held.inputs.empty()) {
    Status status = put_aside(held);
    if (status) status = bring_back(held, gate);
    if (!status) {
      gate.open();
      static_cast<void>(wait_for_all("before the call"));  // the first error is the one to tell
      return tl::make_unexpected(status.error());
    }
  }
  Status done;
  Result<double> seconds = timed(
      "the call",
      [&]() -> Status {
        done = work(stream_);
        gate.open();
        return done ? activate() : done;
      },
      stream_);
  gate.open();
  const Status waited = wait_for_all("after the call");
  return after_call(done, waited, std::move(seconds));
}

}  // namespace harness
