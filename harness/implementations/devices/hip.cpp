#include "harness/implementations/devices/hip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "harness/implementations/boards/board.hpp"
#include "harness/implementations/devices/architecture.hpp"
#include "harness/implementations/devices/gpu_device.hpp"

namespace harness {
namespace {

// One runtime for the process. The reason is kept as well.
const Result<hip::Runtime>& runtime() {
  static const Result<hip::Runtime> loaded = hip::load_runtime();
  return loaded;
}

Result<int> device_count(const hip::Runtime& r) {
  int count = 0;
  if (const hip::Code code = r.hipGetDeviceCount(&count); code != hip::success) {
    return oracle::fail(ErrorCode::device_absent,
                        fmt::format("{}: hipGetDeviceCount: {}", r.file_name, r.error_name(code)));
  }
  if (count == 0) {
    return oracle::fail(ErrorCode::device_absent, "the HIP runtime is here and finds no GPU");
  }
  return count;
}

Result<DeviceInfo> info_of(const hip::Runtime& r, int ordinal) {
  std::array<char, 256> name{};
  std::array<char, 32> address{};
  hip::Uuid uuid{};
  std::size_t memory = 0;
  std::vector<char> properties(r.properties.bytes);
  std::string failed;
  const auto call = [&](hip::Code code, const char* what) {
    if (code != hip::success && failed.empty()) {
      failed = fmt::format("hip:{}: {}: {}", ordinal, what, r.error_name(code));
    }
  };
  call(r.hipDeviceGetName(name.data(), static_cast<int>(name.size() - 1), ordinal),
       "hipDeviceGetName");
  call(r.hipDeviceGetUuid(&uuid, ordinal), "hipDeviceGetUuid");
  call(r.hipDeviceGetPCIBusId(address.data(), static_cast<int>(address.size() - 1), ordinal),
       "hipDeviceGetPCIBusId");
  call(r.hipDeviceTotalMem(&memory, ordinal), "hipDeviceTotalMem");
  call(r.get_properties(properties.data(), ordinal), r.properties.function);
  if (!failed.empty()) return oracle::fail(ErrorCode::device_error, failed);

  const char* architecture = properties.data() + r.properties.architecture_at;
  const std::string full(architecture, strnlen(architecture, 256));
  DeviceInfo info;
  info.name = fmt::format("hip:{}", ordinal);
  info.architecture = processor_of(full);
  info.memory_bytes = memory;
  info.description = fmt::format("{}, {}, {:.0f} GiB, HIP {}", name.data(), full,
                                 static_cast<double>(memory) / (1 << 30), r.version);
  // The runtime's identifier is text already: "c5f0e1d2a3b4...", 16 characters.
  info.facts = {
      {"gpu", name.data()},     {"uuid", "GPU-" + std::string(uuid.bytes, strnlen(uuid.bytes, 16))},
      {"pci", address.data()},  {"architecture", full},
      {"memory_bytes", memory}, {"driver", amd_driver_number()},
      {"library", r.file_name}, {"hip", r.version}};
  say_who_named_it(info.facts, hip_library_variable);
  return info;
}

class Hip final : public GpuDevice {
 public:
  Hip(hip::Runtime r, int ordinal, DeviceInfo info)
      : GpuDevice(std::move(info)), r_(std::move(r)), ordinal_(ordinal) {}

  ~Hip() override {
    // A lost device refuses all of this, and there is nobody to tell.
    r_.hipSetDevice(ordinal_);
    for (void* address : allocations_) r_.hipFree(address);
    for (hip::Module* module : modules_) r_.hipModuleUnload(module);
    for (hip::Event* event : events_) {
      if (event != nullptr) r_.hipEventDestroy(event);
    }
    if (call_stream_ != nullptr) r_.hipStreamDestroy(call_stream_);
  }
  Hip(const Hip&) = delete;
  Hip& operator=(const Hip&) = delete;

  Status open() {
    Status status = activate();
    for (hip::Event*& event : events_) {
      if (status) status = check(r_.hipEventCreate(&event), "hipEventCreate");
    }
    return status;
  }

  Result<DeviceAddress> allocate(std::uint64_t bytes) override {
    if (const Status status = begin(); !status) return tl::make_unexpected(status.error());
    void* address = nullptr;
    const Status status = check(r_.hipMalloc(&address, std::max<std::uint64_t>(bytes, 1)),
                                fmt::format("hipMalloc of {} bytes", bytes));
    if (!status) return tl::make_unexpected(status.error());
    allocations_.insert(address);
    return reinterpret_cast<DeviceAddress>(address);
  }

  Status release(DeviceAddress address) override {
    if (Status status = begin(); !status) return status;
    if (allocations_.erase(pointer(address)) == 0) {
      return oracle::fail(
          ErrorCode::invalid_argument,
          fmt::format("{}: release: 0x{:x} was not allocated", info().name, address));
    }
    return check(r_.hipFree(pointer(address)), "hipFree");
  }

  Status write(DeviceAddress to, std::span<const std::uint8_t> from) override {
    if (Status status = begin(); !status) return status;
    if (from.empty()) return {};
    return check(r_.hipMemcpy(pointer(to), from.data(), from.size(), hip::memcpy_host_to_device),
                 fmt::format("hipMemcpy to the device of {} bytes", from.size()));
  }

  Status read(std::span<std::uint8_t> to, DeviceAddress from) override {
    if (Status status = begin(); !status) return status;
    if (to.empty()) return {};
    return check(r_.hipMemcpy(to.data(), pointer(from), to.size(), hip::memcpy_device_to_host),
                 fmt::format("hipMemcpy from the device of {} bytes", to.size()));
  }

  Result<double> copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) override {
    if (const Status status = begin(); !status) return tl::make_unexpected(status.error());
    if (bytes == 0) return 0.0;
    const std::string what = fmt::format("hipMemcpyAsync of {} bytes", bytes);
    return timed(what, [&] {
      return check(r_.hipMemcpyAsync(pointer(to), pointer(from), bytes,
                                     hip::memcpy_device_to_device, nullptr),
                   what);
    });
  }

  const kernels::Image* image_of(const kernels::Entry& entry) const override {
    return find_image(entry.module, kernels::Backend::hip);
  }

  std::string unavailable(const kernels::Entry& entry) const override {
    return why_not_on_hip(image_of(entry), info().name, info().architecture);
  }

 private:
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is a number to the harness
  static void* pointer(DeviceAddress address) { return reinterpret_cast<void*>(address); }

  Meaning meaning(int code) const override {
    if (code == hip::success) return {.name = {}, .success = true};
    return {.name = r_.error_name(code),
            .sticky = hip::is_sticky(code),
            .out_of_memory = code == hip::error_out_of_memory};
  }

  Status activate() override { return check(r_.hipSetDevice(ordinal_), "hipSetDevice"); }

  // The runtime picks the code object of this GPU out of the bundle.
  Result<void*> load_module(const void* image, const std::string& name) override {
    hip::Module* module = nullptr;
    const Status status =
        check(r_.hipModuleLoadData(&module, image), fmt::format("hipModuleLoadData of {}", name));
    if (!status) return tl::make_unexpected(status.error());
    modules_.push_back(module);
    return module;
  }

  Result<void*> find_function(void* module, const std::string& name) override {
    hip::Function* function = nullptr;
    const Status status =
        check(r_.hipModuleGetFunction(&function, static_cast<hip::Module*>(module), name.c_str()),
              fmt::format("hipModuleGetFunction of {}", name));
    if (!status) return tl::make_unexpected(status.error());
    return function;
  }

  // All of the local memory can be had without asking.
  Status allow_shared_bytes(void* /*function*/, const std::string& /*name*/,
                            std::uint32_t /*bytes*/) override {
    return {};
  }

  Result<double> run(void* function, const std::string& what, const LaunchShape& shape,
                     std::span<const std::uint8_t> arguments) override {
    std::size_t bytes = arguments.size();
    std::array<void*, 5> extra{hip::launch_param_buffer_pointer,
                               const_cast<std::uint8_t*>(arguments.data()),
                               hip::launch_param_buffer_size, &bytes, hip::launch_param_end};
    const std::array<std::uint32_t, 3>& grid = shape.grid;
    const std::array<std::uint32_t, 3>& threads = shape.threads;
    return timed(what, [&] {
      return check(r_.hipModuleLaunchKernel(static_cast<hip::Function*>(function), grid[0], grid[1],
                                            grid[2], threads[0], threads[1], threads[2],
                                            shape.shared_bytes, nullptr, nullptr, extra.data()),
                   "hipModuleLaunchKernel of " + what);
    });
  }

  Result<void*> make_stream() override {
    const Status status =
        check(r_.hipStreamCreateWithFlags(&call_stream_, hip::stream_non_blocking),
              "hipStreamCreateWithFlags");
    if (!status) return tl::make_unexpected(status.error());
    return call_stream_;
  }

  Status copy_on(void* stream, DeviceAddress to, DeviceAddress from, std::uint64_t bytes) override {
    return check(r_.hipMemcpyAsync(pointer(to), pointer(from), bytes, hip::memcpy_device_to_device,
                                   static_cast<hip::Stream*>(stream)),
                 fmt::format("hipMemcpyAsync of {} bytes", bytes));
  }

  Status zero_on(void* stream, DeviceAddress at, std::uint64_t bytes) override {
    return check(r_.hipMemsetAsync(pointer(at), 0, bytes, static_cast<hip::Stream*>(stream)),
                 fmt::format("hipMemsetAsync of {} bytes", bytes));
  }

  Status host_function_on(void* stream, void (*function)(void*), void* argument) override {
    return check(r_.hipLaunchHostFunc(static_cast<hip::Stream*>(stream), function, argument),
                 "hipLaunchHostFunc");
  }

  Status wait_for_all(std::string_view when) override {
    return check(r_.hipDeviceSynchronize(), fmt::format("hipDeviceSynchronize {}", when));
  }

  Status record_event(int event, void* stream) override {
    return check(r_.hipEventRecord(events_.at(static_cast<std::size_t>(event)),
                                   static_cast<hip::Stream*>(stream)),
                 "hipEventRecord");
  }

  Status wait_for_end(const std::string& what) override {
    return check(r_.hipEventSynchronize(events_[1]), "hipEventSynchronize after " + what);
  }

  Result<double> seconds_between() override {
    float milliseconds = 0;
    const Status status =
        check(r_.hipEventElapsedTime(&milliseconds, events_[0], events_[1]), "hipEventElapsedTime");
    if (!status) return tl::make_unexpected(status.error());
    return static_cast<double>(milliseconds) / 1000;
  }

  hip::Runtime r_;
  int ordinal_;
  std::array<hip::Event*, 2> events_{};
  hip::Stream* call_stream_ = nullptr;  // of calls
  std::set<void*> allocations_;
  std::vector<hip::Module*> modules_;
};

}  // namespace

Result<std::vector<DeviceInfo>> hip_infos() {
  return runtime() ? hip_infos(*runtime()) : tl::make_unexpected(runtime().error());
}

Result<std::vector<DeviceInfo>> hip_infos(const hip::Runtime& r) {
  const Result<int> count = device_count(r);
  if (!count) return tl::make_unexpected(count.error());
  std::vector<DeviceInfo> infos;
  for (int ordinal = 0; ordinal < *count; ++ordinal) {
    Result<DeviceInfo> info = info_of(r, ordinal);
    if (!info) return tl::make_unexpected(info.error());
    infos.push_back(std::move(*info));
  }
  return infos;
}

Result<std::unique_ptr<Device>> open_hip(unsigned ordinal) {
  if (runtime()) return open_hip(*runtime(), ordinal);
  return oracle::fail(runtime().error().code,
                      fmt::format("hip:{}: {}", ordinal, runtime().error().message));
}

Result<std::unique_ptr<Device>> open_hip(const hip::Runtime& r, unsigned ordinal) {
  const Result<int> count = device_count(r);
  if (!count) {
    return oracle::fail(count.error().code,
                        fmt::format("hip:{}: {}", ordinal, count.error().message));
  }
  if (ordinal >= static_cast<unsigned>(*count)) {
    return oracle::fail(
        ErrorCode::device_absent,
        fmt::format("hip:{}: expected a number below {}, the HIP devices here", ordinal, *count));
  }
  Result<DeviceInfo> info = info_of(r, static_cast<int>(ordinal));
  if (!info) return tl::make_unexpected(info.error());
  auto device = std::make_unique<Hip>(r, static_cast<int>(ordinal), std::move(*info));
  if (const Status status = device->open(); !status) return tl::make_unexpected(status.error());
  return device;
}

}  // namespace harness
