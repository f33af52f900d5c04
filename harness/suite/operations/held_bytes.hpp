// What the host holds of a case: its device memory without the zeros of a pool that no call names,
// which take memory of a device and none of the host (zeros_on_demand.hpp).
#pragma once

#include <cstdint>

#include "harness/model/case.hpp"
#include "harness/model/operation.hpp"

namespace harness {

std::uint64_t held_bytes(const Operation& operation, const Case& from);

}  // namespace harness
