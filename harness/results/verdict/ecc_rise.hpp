// Error counters of a board that rose during a run.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/results/records/results.hpp"

namespace harness {

struct EccRise {
  std::string device;
  bool corrected = true;
  std::uint64_t by = 0;

  std::string text() const;  // "2 corrected ECC errors during the run"
};

// Of the counters that were read before and after; one that was not read says nothing, and neither
// does one that is lower, since the driver was loaded anew. Boards of one name count together.
std::vector<EccRise> ecc_rises(std::span<const BoardRecord> boards);

}  // namespace harness
