#include "harness/results/verdict/expected_bytes.hpp"

#include "harness/files/sha256.hpp"

namespace harness {

Result<ExpectedBytes> expected_bytes(const Operation& operation, const Case& from,
                                     const oracle::Profile& profile) {
  const Result<std::vector<Problem>> calls = operation.build(from.spec);
  if (!calls) return tl::make_unexpected(calls.error());
  ExpectedBytes expected;
  Sha256 digest;
  for (const Problem& problem : *calls) {
    const Result<Outputs> outputs = operation.expected(problem, profile);
    if (!outputs) return tl::make_unexpected(outputs.error());
    for (const auto& output : *outputs) {
      digest.update(output);
      expected.bytes += output.size();
    }
    operation.cover(problem, expected.coverage);
    ++expected.calls;
  }
  expected.sha256 = digest.hex();
  return expected;
}

}  // namespace harness
