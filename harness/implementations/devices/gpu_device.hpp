// What `cuda:N` and `hip:N` have in common: checked runtime calls, errors that end a device, and a
// launch that loads its module once.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "harness/implementations/devices/device.hpp"

namespace harness {

class GpuDevice : public Device {
 public:
  const DeviceInfo& info() const override { return info_; }
  Result<double> launch(const kernels::Entry& entry, std::span<const std::uint8_t> arguments,
                        std::uint64_t blocks) final;
  Result<LoadedKernel> load_kernel(std::span<const std::uint8_t> image, const std::string& name,
                                   const std::string& entry) final;
  Result<double> launch(const LoadedKernel& kernel, const LaunchShape& shape,
                        std::span<const std::uint8_t> parameters) final;

 protected:
  explicit GpuDevice(DeviceInfo info) : info_(std::move(info)) {}

  // What a runtime's return code means.
  struct Meaning {
    std::string name;  // the runtime's own: "CUDA_ERROR_ILLEGAL_ADDRESS"
    bool success = false;
    bool sticky = false;  // the runtime refuses everything from now on
    bool out_of_memory = false;
  };
  virtual Meaning meaning(int code) const = 0;
  // Makes this device the one that the calling thread's runtime calls go to.
  virtual Status activate() = 0;
  // A handle of the module, loaded for as long as the device lives; a handle of its function.
  // `name` is what errors call them.
  virtual Result<void*> load_module(const void* image, const std::string& name) = 0;
  virtual Result<void*> find_function(void* module, const std::string& name) = 0;
  // What a function needs before it is launched with that much dynamic shared memory.
  virtual Status allow_shared_bytes(void* function, const std::string& name,
                                    std::uint32_t bytes) = 0;
  // Launches and waits; seconds by the device's events. `what` says it in errors: "K, 3 blocks".
  virtual Result<double> run(void* function, const std::string& what, const LaunchShape& shape,
                             std::span<const std::uint8_t> arguments) = 0;

  // Every call of the runtime goes through here: check(cuMemFree(address), "cuMemFree"). Error:
  // device, call, the runtime's error name, file and line.
  // (clang 14 has no std::source_location.)
  Status check(int code, const std::string& call, const char* file = __builtin_FILE(),
               int line = __builtin_LINE());
  // What a call came to: what it said itself, what the device said when it was waited for, and the
  // time it took. Where both went wrong the device's error goes first, with the call's words.
  static Result<double> after_call(const Status& done, const Status& waited,
                                   Result<double> seconds);
  // activate(), unless the device is lost: then its error again.
  Status begin();

 private:
  Result<void*> function_of(const kernels::Entry& entry);

  DeviceInfo info_;
  std::optional<std::string> lost_;  // what lost it
  std::map<std::string, void*, std::less<>> modules_;
  std::map<std::pair<std::string, std::string>, void*> functions_;  // module, entry
};

}  // namespace harness
