// An implementation that makes its calls on the memory that the judge has laid out, so that what it
// does to guards and inputs can be seen from outside.
#pragma once

#include <cstdint>
#include <span>

#include "harness/implementations/guards/guarded_layout.hpp"
#include "harness/model/implementation.hpp"
#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"

namespace harness {

// Where a call finds its tensors, and leaves what became of them.
struct CallMemory {
  const GuardedLayout& layout;
  std::span<std::uint8_t> bytes;
  // Of the file that `bytes` map from its beginning on; negative where they are private memory.
  int descriptor = -1;
};

class GuardedImplementation : public Implementation {
 public:
  // As Device::edge_granularity, of the memory on which the calls are made.
  virtual std::uint64_t edge_granularity() const = 0;

  // Makes the call and leaves guards, inputs and outputs in `memory` as they are afterwards.
  // Returns the seconds that it took, by the device's clock. Error: as for execute.
  virtual Result<double> run(const Problem& problem, const CallMemory& memory) = 0;

  // The same on memory of its own, judged in this process.
  Result<Execution> execute(const Problem& problem) final;
};

}  // namespace harness
