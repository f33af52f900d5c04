// One call of an operation on a device, its tensors between guard zones: what the kernels in the
// box and everything else that runs on a device's memory have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "harness/implementations/devices/device.hpp"
#include "harness/implementations/devices/guarded_buffers.hpp"
#include "harness/model/implementation.hpp"
#include "harness/model/operation.hpp"

namespace harness {

struct GuardedPlace {
  Device& device;
  GuardedBuffers& buffers;
  const Operation& operation;
  std::string_view implementation;  // its name in errors
};

// Brings the call's memory to the device, makes the call, and brings it back. `call` is given
// the device address of element [0, ..., 0] of every tensor, waits until the work is done, and
// returns the seconds that the device took. Its error is told with the tensor beside which the call
// broke and the fault that does this, where the device knows the address. Error of its own:
// invalid_argument for a problem of another operation.
Result<double> execute_between_guards(
    const GuardedPlace& place, const Problem& problem, const CallMemory& memory,
    const std::function<Result<double>(std::span<const std::uint64_t> origins)>& call);

}  // namespace harness
