// Kernels of copy_operation.hpp in their host form. Included last: portability/host.hpp defines the
// words of CUDA as macros.
#pragma once

#include "harness/run/tests/copy_operation.hpp"
#include "kernels/portability/host.hpp"

namespace harness::testing {

inline const CopyArgs& copy_args(const void* arguments) {
  return *static_cast<const CopyArgs*>(arguments);
}

inline std::int64_t copy_index() {
  return std::int64_t{blockIdx.x} * copy_threads + std::int64_t{threadIdx.x};
}

inline void copy_one(const void* arguments) {
  const CopyArgs& args = copy_args(arguments);
  if (copy_index() < args.count) args.to[copy_index()] = args.from[copy_index()];
}

inline kernels::Entry host_entry(std::string_view name, void (*host)(const void*)) {
  return {name, "test_module", copy_threads, sizeof(CopyArgs), host};
}

}  // namespace harness::testing
