#include "harness/implementations/guards/guarded_implementation.hpp"

#include <vector>

namespace harness {

Result<Execution> GuardedImplementation::execute(const Problem& problem) {
  const Result<GuardedLayout> layout = guarded_layout(problem, edge_granularity());
  if (!layout) return tl::make_unexpected(layout.error());
  std::vector<std::uint8_t> memory(layout->total_bytes);
  write_guarded(problem, *layout, memory);
  const Result<double> seconds = run(problem, {*layout, memory});
  if (!seconds) return tl::make_unexpected(seconds.error());
  const Extent all{0, memory.size()};
  return Execution{outputs_in(problem, *layout, memory),
                   find_trespasses(problem, *layout, memory, std::span(&all, 1)), *seconds};
}

}  // namespace harness
