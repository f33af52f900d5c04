#include "harness/suite/operations/held_bytes.hpp"

#include <algorithm>

namespace harness {

std::uint64_t held_bytes(const Operation& operation, const Case& from) {
  const auto* zeros = dynamic_cast<const HasZeros*>(&operation);
  if (zeros == nullptr) return from.device_bytes;
  return from.device_bytes - std::min(from.device_bytes, zeros->untouched(from.spec));
}

}  // namespace harness
