// Host memory with nothing around it: pages without access lie on both sides, so that a read or
// write past its edge is a fault and not a wrong byte somewhere else (docs/reported-faults.md M02,
// G07, H07).
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/model/result.hpp"

namespace harness {

class EdgedMemory {
 public:
  // Bytes without access on each side: more than any page of a cache, so that a whole page before
  // or behind is seen as well.
  static constexpr std::size_t edge_bytes = std::size_t{1} << 20;

  // `bytes` of zeroed memory at a multiple of 256, ending (rounded up to 256) at the edge behind.
  // Error: out_of_memory.
  static Result<EdgedMemory> map(std::uint64_t bytes);
  // The same of `bytes` of a file, whole pages from `offset` on, which others may have mapped too.
  static Result<EdgedMemory> map_file(int descriptor, std::uint64_t offset, std::uint64_t bytes);

  EdgedMemory(EdgedMemory&& other) noexcept;
  EdgedMemory& operator=(EdgedMemory&& other) noexcept;
  EdgedMemory(const EdgedMemory&) = delete;
  EdgedMemory& operator=(const EdgedMemory&) = delete;
  ~EdgedMemory();

  std::uint8_t* data() const { return data_; }

 private:
  // Addresses without access for `accessible` bytes, whole pages, and the edges around them. Data
  // begins with the first of them.
  static Result<EdgedMemory> reserve(std::size_t accessible);

  EdgedMemory(void* mapping, std::size_t mapping_bytes, std::uint8_t* data)
      : mapping_(mapping), mapping_bytes_(mapping_bytes), data_(data) {}

  void* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
  std::uint8_t* data_ = nullptr;
};

// Bytes of one page of the machine.
std::size_t host_page_bytes();

}  // namespace harness
