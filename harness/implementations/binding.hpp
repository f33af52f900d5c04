// From a problem to the C struct of its operation (include/fp4cts/abi.h): what the kernels in the
// box take by value and plug-ins through a pointer. Filled from the operation's signature alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "harness/model/signature.hpp"

namespace harness {

// The struct's bytes. `origins` is the device address of element [0, ..., 0] of every tensor, in
// the problem's order. Precondition: the problem keeps the signature. Error: an address or a stride
// that is not the multiple which the header promises; an integer that does not fit its member.
Result<std::vector<std::uint8_t>> bind_struct(const Signature& signature, const Problem& problem,
                                              std::span<const std::uint64_t> origins);

// What a kernel of kernels/ is launched with.
struct Launch {
  std::vector<std::uint8_t> arguments;
  std::uint64_t blocks = 0;  // 0: the operation returns at once, nothing is launched
};

// Error: as bind_struct.
Result<Launch> bind_launch(const Signature& signature, const Problem& problem,
                           std::span<const std::uint64_t> origins, unsigned threads_per_block);

}  // namespace harness
