// What a case must give, by the oracle: the digest that every passing record of it has.
#pragma once

#include <cstdint>
#include <string>

#include "harness/model/case.hpp"
#include "harness/model/coverage.hpp"
#include "harness/model/operation.hpp"
#include "harness/model/result.hpp"

namespace harness {

struct ExpectedBytes {
  std::string sha256;       // of all output bytes of the first run, call by call
  std::uint64_t bytes = 0;  // of these
  std::uint64_t calls = 0;
  Coverage coverage;
};

// Error: the case breaks the contract of its operation.
Result<ExpectedBytes> expected_bytes(const Operation& operation, const Case& from,
                                     const oracle::Profile& profile);

}  // namespace harness
