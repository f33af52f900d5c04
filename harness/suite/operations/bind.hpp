// Helps an operation to fill the argument struct of its kernels.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "harness/model/operation.hpp"

namespace harness {

// The device address of element [0, ..., 0] of a tensor. Precondition: the problem has that tensor,
// and an origin for each.
inline std::uint64_t origin_of(const Problem& problem, std::span<const std::uint64_t> origins,
                               std::string_view name) {
  return origins[static_cast<std::size_t>(problem.find(name) - problem.tensors.data())];
}

// The same as the pointer that a kernel takes.
template <class T>
T* device_pointer(const Problem& problem, std::span<const std::uint64_t> origins,
                  std::string_view name) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): device addresses are integers until a kernel runs.
  return reinterpret_cast<T*>(origin_of(problem, origins, name));
}

// What kernels/abi.hpp asks of an address or a stride beyond the operation's contract.
inline Status check_alignment(const Problem& problem, std::string_view argument,
                              std::uint64_t value, std::uint64_t multiple) {
  if (value % multiple == 0) return {};
  return oracle::fail(ErrorCode::invalid_argument,
                      fmt::format("{}: {}: expected a multiple of {}, which the kernels in the box "
                                  "need, got {} more",
                                  problem.operation, argument, multiple, value % multiple));
}

template <class Arguments>
std::vector<std::uint8_t> bytes_of(const Arguments& arguments) {
  std::vector<std::uint8_t> bytes(sizeof arguments);
  std::memcpy(bytes.data(), &arguments, sizeof arguments);
  return bytes;
}

}  // namespace harness
