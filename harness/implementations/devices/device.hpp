// A device allocates, copies, launches and synchronizes (docs/design.md section 9). `cpu` runs the
// host form of a kernel on all cores; `cuda:N` and `hip:N` open their runtime with dlopen and load
// the embedded images; `ptx` executes their PTX text by software. docs/devices.md is the page for
// users.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/device_info.hpp"
#include "harness/model/implementation.hpp"
#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "kernels/module.hpp"

namespace harness {

using DeviceAddress = std::uint64_t;

// How a kernel that is in none of the tables is launched.
struct LaunchShape {
  std::array<std::uint32_t, 3> grid{1, 1, 1};     // blocks
  std::array<std::uint32_t, 3> threads{1, 1, 1};  // of a block
  std::uint32_t shared_bytes = 0;                 // dynamic
};

// A function of a module that a device has loaded; valid for as long as the device lives.
struct LoadedKernel {
  std::string name;
  void* function = nullptr;  // the runtime's handle
};

// The storage of one tensor of a call.
struct TensorMemory {
  std::string name;
  Role role = Role::input;
  DeviceAddress address = 0;
  std::uint64_t bytes = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  // What computes the bytes that its launches give.
  virtual Machinery machinery() const { return Machinery::native; }

  // All that the launches up to the next `expect` may touch. A device that judges each access holds
  // them to it, and an output is to it memory that nobody has written.
  virtual void expect(std::vector<TensorMemory> /*tensors*/) {}

  // `bytes` of memory at a multiple of 256. Error: out_of_memory.
  virtual Result<DeviceAddress> allocate(std::uint64_t bytes) = 0;
  virtual Status release(DeviceAddress address) = 0;
  // Where this is not 0, a kernel that touches what lies behind an allocation fails: there is no
  // memory from the next multiple of 256 on. The same holds directly before an allocation whose
  // size is a multiple of this granularity, itself a multiple of 256. 0: memory has no such edges.
  virtual std::uint64_t edge_granularity() const { return 0; }

  // Whether `share` works: memory of this process is memory of the device.
  virtual bool shares_host_memory() const { return false; }
  // Makes `bytes` of a file, from `offset` on, memory of this device, with the edges that an
  // allocation has; whoever else maps the file sees what the device writes. `offset` is a multiple
  // of a machine's pages, `bytes` of edge_granularity(). `release` takes it back. Error:
  // out_of_memory; invalid_argument where this kind of device cannot.
  virtual Result<DeviceAddress> share(int descriptor, std::uint64_t offset, std::uint64_t bytes);

  virtual Status write(DeviceAddress to, std::span<const std::uint8_t> from) = 0;
  virtual Status read(std::span<std::uint8_t> to, DeviceAddress from) = 0;
  // From device memory to device memory, by the device itself; waits, and returns the seconds that
  // the device took, measured as `launch` measures. The two ranges do not overlap.
  virtual Result<double> copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) = 0;

  // The images in which an entry's module is looked up.
  void add_images(std::span<const kernels::Image> images);
  // The image that a launch of `entry` uses, built or not; null where its module has none for this
  // kind of device.
  virtual const kernels::Image* image_of(const kernels::Entry& entry) const = 0;
  // Why `entry` cannot run here, empty where it can: no image, an architecture that the image
  // lacks.
  virtual std::string unavailable(const kernels::Entry& entry) const = 0;
  // Launches and waits. Returns the seconds that the device took. 0 blocks launch nothing.
  // Error: device_error or device_lost with the runtime's own error name.
  virtual Result<double> launch(const kernels::Entry& entry,
                                std::span<const std::uint8_t> arguments, std::uint64_t blocks) = 0;

  // Loads a module that is in no table and finds `entry` in it. `image` is what the runtime takes,
  // text with a 0 at its end, and need not outlive the call; errors call it `name`. Error:
  // device_absent where this kind of device loads no modules; device_error with the runtime's own
  // error name.
  virtual Result<LoadedKernel> load_kernel(std::span<const std::uint8_t> image,
                                           const std::string& name, const std::string& entry);
  // Launches and waits, as above. `parameters` are the bytes of all parameters, each at a multiple
  // of its size. A grid with an axis of 0 launches nothing.
  virtual Result<double> launch(const LoadedKernel& kernel, const LaunchShape& shape,
                                std::span<const std::uint8_t> parameters);

  // Calls host code that puts work of its own on this device, as a plug-in does, and waits for all
  // of it. `work` is given a stream (a CUstream, a hipStream_t, null on the CPU) and runs in the
  // calling thread, in which the device is current. Returns seconds by the device's clock. Error:
  // what `work` returned, or device_error or device_lost where its work broke.
  virtual Result<double> call(const std::function<Status(void* stream)>& work) = 0;

  // Where the last launch or call touched memory that it may not, if the device can tell.
  virtual std::optional<DeviceAddress> faulting_address() const { return std::nullopt; }
  // Whether it did so at an address so far away that the processor cannot name it.
  virtual bool faulted_beyond_addresses() const { return false; }

 protected:
  const kernels::Image* find_image(std::string_view module, kernels::Backend backend) const;

 private:
  std::vector<std::span<const kernels::Image>> images_;
};

// What is known of devices without opening one: those present, and for each kind that is not, why.
// A process that has asked the CUDA driver cannot use CUDA in a child that it forks (the driver's
// rule); children that run kernels are started by exec.
struct DeviceSurvey {
  std::vector<DeviceInfo> present;
  struct Absent {
    std::string kind;    // "cuda", "hip"
    std::string reason;  // "libcuda.so.1 was not found"
  };
  std::vector<Absent> absent;
};
DeviceSurvey survey_devices();

// `cpu`, `cuda:N`, `hip:N` or `ptx`. Error: unknown_name with the valid choices for anything else,
// device_absent with the reason for a device that is not here, or the runtime's error.
Result<std::unique_ptr<Device>> open_device(std::string_view name);

}  // namespace harness
