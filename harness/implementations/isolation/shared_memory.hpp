// Memory that parent and child both see: the bytes of problems and outputs. It grows and never
// shrinks, and a seal keeps either side from shrinking it under the other.
#pragma once

#include <cstdint>
#include <span>

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
  Status map_at_least(std::uint64_t bytes);
  std::span<std::uint8_t> bytes() const { return {data_, size_}; }

 private:
  explicit SharedMemory(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace harness
