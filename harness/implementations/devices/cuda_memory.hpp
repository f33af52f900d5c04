// Device memory with nothing around it, by the virtual memory calls of the CUDA driver: a stretch
// of addresses is reserved and all but one granule (2 MiB) at either end is backed by memory. A
// kernel that reads or writes past the edge ends with CUDA_ERROR_ILLEGAL_ADDRESS.
#pragma once

#include <cstddef>

#include "harness/implementations/devices/cuda_driver.hpp"

namespace harness::cuda {

struct EdgedAllocation {
  Address reserved = 0;
  std::size_t reserved_bytes = 0;
  Address mapped = 0;
  std::size_t mapped_bytes = 0;

  // `bytes`, a multiple of 256, that end where memory ends.
  Address ending_at_edge(std::size_t bytes) const { return mapped + mapped_bytes - bytes; }
};

AllocationProperties allocation_properties(DeviceOrdinal device);

// What failed, for the caller to say: the code and the function's name.
struct Failure {
  Code code = success;
  const char* call = "";
};

// Reserves and maps at least `bytes`. On failure nothing stays behind.
Failure map_edged(const Driver& driver, DeviceOrdinal device, std::size_t bytes,
                  std::size_t granularity, EdgedAllocation& allocation);
Failure unmap_edged(const Driver& driver, const EdgedAllocation& allocation);

}  // namespace harness::cuda
