#include "harness/suite/operations/held_bytes.hpp"

#include <algorithm>

#include "harness/suite/operations/page_operation.hpp"

namespace harness {

std::uint64_t held_bytes(const Operation& operation, const Case& from) {
  const auto* pages = dynamic_cast<const PageOperationBase*>(&operation);
  if (pages == nullptr) return from.device_bytes;
  return from.device_bytes - std::min(from.device_bytes, pages->untouched(from.spec));
}

}  // namespace harness
