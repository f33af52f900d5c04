// What the host holds of a case: its device memory without the zeros of a pool that no call names,
// which take memory of a device and none of the host (zeros_on_demand.hpp).
#pragma once

#include <cstdint>

#include "harness/model/case.hpp"
#include "harness/model/operation.hpp"

namespace harness {

// An operation of which some cases are zeros for the most part.
class HasZeros {
 public:
  virtual ~HasZeros() = default;
  // Bytes of a case's tensors that nothing is made from; 0 of a spec that is not read.
  virtual std::uint64_t untouched(const nlohmann::json& spec) const = 0;
};

std::uint64_t held_bytes(const Operation& operation, const Case& from);

}  // namespace harness
