// The tensors of a problem as a device has them: the memory of the call itself where the device can
// use that, a copy of all of it, guards included, where it cannot.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/implementations/devices/device.hpp"
#include "harness/implementations/guards/guarded_implementation.hpp"
#include "harness/model/problem.hpp"

namespace harness {

class GuardedBuffers {
 public:
  explicit GuardedBuffers(Device& device) : device_(device) {}
  ~GuardedBuffers();
  GuardedBuffers(const GuardedBuffers&) = delete;
  GuardedBuffers& operator=(const GuardedBuffers&) = delete;

  std::uint64_t edge_granularity() const { return device_.edge_granularity(); }

  // Brings guards and storages of all tensors to the device. A tensor whose predecessor at the same
  // place of the problem had the same role and memory of the same place and size takes it, wherever
  // its bytes lie in it; what no longer fits is released first. Error: the device's.
  Status place(const Problem& problem, const CallMemory& memory);
  // Brings all of it back to where it came from.
  Status take_back(const CallMemory& memory);

  // Of the problem placed last: the device address of element [0, ..., 0] of every tensor.
  std::vector<std::uint64_t> origins(const Problem& problem) const;
  // Where an address lies, told by the tensor nearest to it: "16 bytes behind kv_cache". Empty
  // where none is near.
  std::string describe(const Problem& problem, DeviceAddress address) const;

 private:
  struct Buffer {
    DeviceAddress base = 0;
    GuardedRegion region;
    Role role = Role::input;
    int descriptor = -1;  // of the file that it maps; negative where it is the device's own

    DeviceAddress start() const { return base + region.before; }
    // Whether memory made for the one is that of the other.
    bool fits(const Buffer& other) const {
      return region.offset == other.region.offset && region.bytes() == other.region.bytes() &&
             role == other.role && descriptor == other.descriptor;
    }
  };

  // Of a device that can: the call's memory, where it is a file's.
  bool shares(const CallMemory& memory) const;
  void release(Buffer& buffer);
  // A region between the call's memory and the device's own.
  Status copy_in(const CallMemory& memory, const GuardedRegion& region, DeviceAddress to);
  Status copy_out(const CallMemory& memory, const GuardedRegion& region, DeviceAddress from);

  Device& device_;
  std::vector<Buffer> buffers_;  // of the tensors of the problem placed last
};

}  // namespace harness
