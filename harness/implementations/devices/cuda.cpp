#include "harness/implementations/devices/cuda.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "harness/implementations/devices/architecture.hpp"
#include "harness/implementations/devices/cuda_info.hpp"
#include "harness/implementations/devices/cuda_memory.hpp"
#include "harness/implementations/devices/gpu_device.hpp"

namespace harness {
namespace {

// One driver for the process: cuInit is called once. The reason is kept as well.
const Result<cuda::Driver>& driver() {
  static const Result<cuda::Driver> loaded = cuda::load_driver();
  return loaded;
}

class Cuda final : public GpuDevice {
 public:
  Cuda(cuda::Driver driver, cuda::Properties properties)
      : GpuDevice(properties.info), d_(std::move(driver)), properties_(std::move(properties)) {}

  ~Cuda() override {
    if (context_ == nullptr) return;
    // A lost context refuses all of this, and there is nobody to tell.
    d_.cuCtxSetCurrent(context_);
    for (const auto& [address, allocation] : edged_) cuda::unmap_edged(d_, allocation);
    for (const auto& [address, bytes] : plain_) d_.cuMemFree(address);
    for (cuda::Module* module : modules_) d_.cuModuleUnload(module);
    for (cuda::Event* event : events_) {
      if (event != nullptr) d_.cuEventDestroy(event);
    }
    if (call_stream_ != nullptr) d_.cuStreamDestroy(call_stream_);
    d_.cuDevicePrimaryCtxRelease(properties_.device);
  }
  Cuda(const Cuda&) = delete;
  Cuda& operator=(const Cuda&) = delete;

  // Takes the primary context and makes the events.
  Status open() {
    Status status = check(d_.cuDevicePrimaryCtxRetain(&context_, properties_.device),
                          "cuDevicePrimaryCtxRetain");
    if (status) status = activate();
    for (cuda::Event*& event : events_) {
      if (status) status = check(d_.cuEventCreate(&event, 0), "cuEventCreate");
    }
    if (status && properties_.virtual_memory) {
      const cuda::AllocationProperties wanted = cuda::allocation_properties(properties_.device);
      status =
          check(d_.cuMemGetAllocationGranularity(&granularity_, &wanted, cuda::granularity_minimum),
                "cuMemGetAllocationGranularity");
    }
    return status;
  }

  Result<DeviceAddress> allocate(std::uint64_t bytes) override {
    if (const Status status = begin(); !status) return tl::make_unexpected(status.error());
    const std::uint64_t used = (bytes + 255) / 256 * 256 + (bytes == 0 ? 256 : 0);
    if (granularity_ == 0) {
      cuda::Address address = 0;
      const Status status =
          check(d_.cuMemAlloc(&address, used), fmt::format("cuMemAlloc of {} bytes", bytes));
      if (!status) return tl::make_unexpected(status.error());
      plain_.emplace(address, used);
      return DeviceAddress{address};
    }
    cuda::EdgedAllocation allocation;
    const cuda::Failure failure =
        cuda::map_edged(d_, properties_.device, used, granularity_, allocation);
    const Status status = check(failure.code, fmt::format("{} for {} bytes", failure.call, bytes));
    if (!status) return tl::make_unexpected(status.error());
    const DeviceAddress address = allocation.ending_at_edge(used);
    edged_.emplace(address, allocation);
    return address;
  }

  Status release(DeviceAddress address) override {
    if (Status status = begin(); !status) return status;
    if (const auto found = edged_.find(address); found != edged_.end()) {
      const cuda::EdgedAllocation allocation = found->second;
      edged_.erase(found);
      const cuda::Failure failure = cuda::unmap_edged(d_, allocation);
      return check(failure.code, failure.call);
    }
    if (plain_.erase(address) != 0) return check(d_.cuMemFree(address), "cuMemFree");
    return oracle::fail(ErrorCode::invalid_argument,
                        fmt::format("{}: release: 0x{:x} was not allocated", info().name, address));
  }

  std::uint64_t edge_granularity() const override { return granularity_; }

  Status write(DeviceAddress to, std::span<const std::uint8_t> from) override {
    if (Status status = begin(); !status) return status;
    if (from.empty()) return {};
    return check(d_.cuMemcpyHtoD(to, from.data(), from.size()),
                 fmt::format("cuMemcpyHtoD of {} bytes", from.size()));
  }

  Status read(std::span<std::uint8_t> to, DeviceAddress from) override {
    if (Status status = begin(); !status) return status;
    if (to.empty()) return {};
    return check(d_.cuMemcpyDtoH(to.data(), from, to.size()),
                 fmt::format("cuMemcpyDtoH of {} bytes", to.size()));
  }

  Result<double> copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) override {
    if (const Status status = begin(); !status) return tl::make_unexpected(status.error());
    if (bytes == 0) return 0.0;
    const std::string what = fmt::format("cuMemcpyDtoDAsync of {} bytes", bytes);
    return timed(what, [&] { return check(d_.cuMemcpyDtoDAsync(to, from, bytes, nullptr), what); });
  }

  const kernels::Image* image_of(const kernels::Entry& entry) const override {
    return find_image(entry.module, kernels::Backend::cuda);
  }

  std::string unavailable(const kernels::Entry& entry) const override {
    return why_not_on_cuda(image_of(entry), info().name, properties_.capability, d_.release(),
                           cuda::ptx_is_forced());
  }

 private:
  Meaning meaning(int code) const override {
    if (code == cuda::success) return {.name = {}, .success = true};
    return {.name = d_.error_name(code),
            .sticky = cuda::is_sticky(code),
            .out_of_memory = code == cuda::error_out_of_memory};
  }

  Status activate() override { return check(d_.cuCtxSetCurrent(context_), "cuCtxSetCurrent"); }

  Result<void*> load_module(const void* image, const std::string& name) override {
    std::array<char, 4096> log{};
    std::array<int, 2> options{cuda::jit_error_log_buffer, cuda::jit_error_log_buffer_size_bytes};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a size is passed in the place of a pointer
    std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size() - 1)};
    cuda::Module* module = nullptr;
    Status status =
        check(d_.cuModuleLoadDataEx(&module, image, options.size(), options.data(), values.data()),
              fmt::format("cuModuleLoadDataEx of {}", name));
    if (!status) {
      if (log[0] != '\0') status.error().message += fmt::format(": {}", log.data());
      return tl::make_unexpected(status.error());
    }
    modules_.push_back(module);
    return module;
  }

  Result<void*> find_function(void* module, const std::string& name) override {
    cuda::Function* function = nullptr;
    const Status status =
        check(d_.cuModuleGetFunction(&function, static_cast<cuda::Module*>(module), name.c_str()),
              fmt::format("cuModuleGetFunction of {}", name));
    if (!status) return tl::make_unexpected(status.error());
    return function;
  }

  Status allow_shared_bytes(void* function, const std::string& name, std::uint32_t bytes) override {
    if (bytes <= cuda::shared_bytes_without_asking) return {};
    return check(
        d_.cuFuncSetAttribute(static_cast<cuda::Function*>(function),
                              cuda::attribute_max_dynamic_shared_bytes, static_cast<int>(bytes)),
        fmt::format("cuFuncSetAttribute of {}, {} bytes of shared memory", name, bytes));
  }

  Result<double> run(void* function, const std::string& what, const LaunchShape& shape,
                     std::span<const std::uint8_t> arguments) override {
    std::size_t bytes = arguments.size();
    std::array<void*, 5> extra{cuda::launch_param_buffer_pointer,
                               const_cast<std::uint8_t*>(arguments.data()),
                               cuda::launch_param_buffer_size, &bytes, cuda::launch_param_end};
    const std::array<std::uint32_t, 3>& grid = shape.grid;
    const std::array<std::uint32_t, 3>& threads = shape.threads;
    return timed(what, [&] {
      return check(d_.cuLaunchKernel(static_cast<cuda::Function*>(function), grid[0], grid[1],
                                     grid[2], threads[0], threads[1], threads[2],
                                     shape.shared_bytes, nullptr, nullptr, extra.data()),
                   "cuLaunchKernel of " + what);
    });
  }

  Result<void*> make_stream() override {
    const Status status =
        check(d_.cuStreamCreate(&call_stream_, cuda::stream_non_blocking), "cuStreamCreate");
    if (!status) return tl::make_unexpected(status.error());
    return call_stream_;
  }

  Status copy_on(void* stream, DeviceAddress to, DeviceAddress from, std::uint64_t bytes) override {
    return check(d_.cuMemcpyDtoDAsync(to, from, bytes, static_cast<cuda::Stream*>(stream)),
                 fmt::format("cuMemcpyDtoDAsync of {} bytes", bytes));
  }

  Status zero_on(void* stream, DeviceAddress at, std::uint64_t bytes) override {
    return check(d_.cuMemsetD8Async(at, 0, bytes, static_cast<cuda::Stream*>(stream)),
                 fmt::format("cuMemsetD8Async of {} bytes", bytes));
  }

  Status host_function_on(void* stream, void (*function)(void*), void* argument) override {
    return check(d_.cuLaunchHostFunc(static_cast<cuda::Stream*>(stream), function, argument),
                 "cuLaunchHostFunc");
  }

  Status wait_for_all(std::string_view when) override {
    return check(d_.cuCtxSynchronize(), fmt::format("cuCtxSynchronize {}", when));
  }

  Status record_event(int event, void* stream) override {
    return check(d_.cuEventRecord(events_.at(static_cast<std::size_t>(event)),
                                  static_cast<cuda::Stream*>(stream)),
                 "cuEventRecord");
  }

  Status wait_for_end(const std::string& what) override {
    return check(d_.cuEventSynchronize(events_[1]), "cuEventSynchronize after " + what);
  }

  Result<double> seconds_between() override {
    float milliseconds = 0;
    const Status status =
        check(d_.cuEventElapsedTime(&milliseconds, events_[0], events_[1]), "cuEventElapsedTime");
    if (!status) return tl::make_unexpected(status.error());
    return static_cast<double>(milliseconds) / 1000;
  }

  cuda::Driver d_;
  cuda::Properties properties_;
  cuda::Context* context_ = nullptr;
  std::array<cuda::Event*, 2> events_{};
  cuda::Stream* call_stream_ = nullptr;  // of calls
  std::size_t granularity_ = 0;          // of mapped memory; 0 where the device cannot map
  std::map<DeviceAddress, cuda::EdgedAllocation> edged_;
  std::map<DeviceAddress, std::uint64_t> plain_;
  std::vector<cuda::Module*> modules_;
};

}  // namespace

Result<std::vector<DeviceInfo>> cuda_infos() {
  return driver() ? cuda_infos(*driver()) : tl::make_unexpected(driver().error());
}

Result<std::vector<DeviceInfo>> cuda_infos(const cuda::Driver& d) {
  const Result<int> count = cuda::device_count(d);
  if (!count) return tl::make_unexpected(count.error());
  std::vector<DeviceInfo> infos;
  for (int ordinal = 0; ordinal < *count; ++ordinal) {
    Result<cuda::Properties> properties = cuda::properties_of(d, ordinal);
    if (!properties) return tl::make_unexpected(properties.error());
    infos.push_back(std::move(properties->info));
  }
  return infos;
}

Result<std::unique_ptr<Device>> open_cuda(unsigned ordinal) {
  if (driver()) return open_cuda(*driver(), ordinal);
  return oracle::fail(driver().error().code,
                      fmt::format("cuda:{}: {}", ordinal, driver().error().message));
}

Result<std::unique_ptr<Device>> open_cuda(const cuda::Driver& d, unsigned ordinal) {
  const Result<int> count = cuda::device_count(d);
  if (!count) {
    return oracle::fail(count.error().code,
                        fmt::format("cuda:{}: {}", ordinal, count.error().message));
  }
  if (ordinal >= static_cast<unsigned>(*count)) {
    return oracle::fail(
        ErrorCode::device_absent,
        fmt::format("cuda:{}: expected a number below {}, the CUDA devices here", ordinal, *count));
  }
  Result<cuda::Properties> properties = cuda::properties_of(d, static_cast<int>(ordinal));
  if (!properties) return tl::make_unexpected(properties.error());
  auto device = std::make_unique<Cuda>(d, std::move(*properties));
  if (const Status status = device->open(); !status) return tl::make_unexpected(status.error());
  return device;
}

}  // namespace harness
