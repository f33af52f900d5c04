// What `cuda:N` and `hip:N` have in common: checked runtime calls, errors that end a device, a
// launch that loads its module once, times by events, and the stream on which a plug-in is judged.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/implementations/devices/device.hpp"
#include "harness/implementations/devices/stream_gate.hpp"

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
  void expect(std::vector<TensorMemory> tensors) final { tensors_ = std::move(tensors); }
  // The stream is ordered with no other one, and the small inputs of `expect` come on it, when
  // `work` has returned: until then they are zeros, which name no page, and what `work` put
  // elsewhere reads them.
  Result<double> call(const std::function<Status(void* stream)>& work) final;

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

  // The stream of calls, made for the first of them, which waits for no other stream.
  virtual Result<void*> make_stream() = 0;
  // Put on that stream.
  virtual Status copy_on(void* stream, DeviceAddress to, DeviceAddress from,
                         std::uint64_t bytes) = 0;
  virtual Status zero_on(void* stream, DeviceAddress at, std::uint64_t bytes) = 0;
  virtual Status host_function_on(void* stream, void (*function)(void*), void* argument) = 0;
  // Waits for all that was put on any stream; `when` says so in errors.
  virtual Status wait_for_all(std::string_view when) = 0;
  // Event 0 begins what is timed, event 1 ends it. A null stream is the default one.
  virtual Status record_event(int event, void* stream) = 0;
  virtual Status wait_for_end(const std::string& what) = 0;
  virtual Result<double> seconds_between() = 0;

  // Seconds between two events around `work`, after waiting for the second. A fault of the work
  // itself shows while waiting: `what` says whose it is.
  Result<double> timed(const std::string& what, const std::function<Status()>& work,
                       void* stream = nullptr);

  // Every call of the runtime goes through here: check(cuMemFree(address), "cuMemFree"). Error:
  // device, call, the runtime's error name, file and line.
  // (clang 14 has no std::source_location.)
  Status check(int code, const std::string& call, const char* file = __builtin_FILE(),
               int line = __builtin_LINE());
  // activate(), unless the device is lost: then its error again.
  Status begin();

 private:
  Result<void*> function_of(const kernels::Entry& entry);
  // The inputs that a call can be made to wait for, one after the other in `aside`.
  struct HeldBack {
    std::vector<TensorMemory> inputs;
    std::uint64_t bytes = 0;
  };
  HeldBack held_back() const;
  // Moves their bytes aside and leaves zeros; waits.
  Status put_aside(const HeldBack& held);
  // Puts on the stream that they come back once the gate is open.
  Status bring_back(const HeldBack& held, const StreamGate& gate);

  DeviceInfo info_;
  std::optional<std::string> lost_;  // what lost it
  std::map<std::string, void*, std::less<>> modules_;
  std::map<std::pair<std::string, std::string>, void*> functions_;  // module, entry
  std::vector<TensorMemory> tensors_;                               // of the call to come
  void* stream_ = nullptr;
  DeviceAddress aside_ = 0;
  std::uint64_t aside_bytes_ = 0;
};

}  // namespace harness
