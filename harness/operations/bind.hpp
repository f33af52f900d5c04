// Helps an operation to fill the argument struct of its kernels.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "harness/operation.hpp"

namespace harness {

// The device address of element [0, ..., 0] of a tensor, as the pointer that a kernel takes.
// Precondition: the problem has that tensor, and an origin for each.
template <class T>
T* device_pointer(const Problem& problem, std::span<const std::uint64_t> origins,
                  std::string_view name) {
  const auto index = static_cast<std::size_t>(problem.find(name) - problem.tensors.data());
  // NOLINTNEXTLINE(performance-no-int-to-ptr): device addresses are integers until a kernel runs.
  return reinterpret_cast<T*>(origins[index]);
}

template <class Arguments>
std::vector<std::uint8_t> bytes_of(const Arguments& arguments) {
  std::vector<std::uint8_t> bytes(sizeof arguments);
  std::memcpy(bytes.data(), &arguments, sizeof arguments);
  return bytes;
}

}  // namespace harness
