// Memory that parent and child both see: the bytes of problems and outputs. It grows and never
// shrinks, and a seal keeps either side from shrinking it under the other.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "harness/model/result.hpp"

namespace harness {

class SharedMemory {
 public:
  static Result<SharedMemory> create();
  // Takes over an inherited descriptor.
  static SharedMemory attach(int descriptor) { return SharedMemory(descriptor); }

  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();

  int descriptor() const { return descriptor_; }
  // At least `bytes` are mapped afterwards; earlier spans are invalid. The creator makes the memory
  // larger where it must; the other side finds it so, and it is an error where it does not.
  Status grow_to(std::uint64_t bytes);
  // The same for a new problem. From sparse_bytes on memory that is there already, or is wanted,
  // holds zeros afterwards, and takes no memory until it is written.
  Status clear_and_grow_to(std::uint64_t bytes);
  // The parts of it that were written, in order. What is in none is zeros.
  Result<std::vector<std::pair<std::uint64_t, std::uint64_t>>> written() const;
  Status map_at_least(std::uint64_t bytes);
  std::span<std::uint8_t> bytes() const { return {data_, size_}; }

 private:
  explicit SharedMemory(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace harness
