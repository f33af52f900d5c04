// Whether a folder of vectors is what its manifest says and what the oracle says.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/model/result.hpp"
#include "vectors/src/manifest.hpp"

namespace harness {

struct VectorReport {
  Manifest manifest;
  std::uint64_t files = 0;                 // read and judged
  std::uint64_t vectors = 0;               // golden elements, and curated vectors
  std::vector<std::string> damage;         // not what was written: digest, schema, count, id
  std::vector<std::string> disagreements;  // intact, and the oracle answers otherwise

  bool good() const { return damage.empty() && disagreements.empty(); }
};

// Error: the manifest cannot be read, or is malformed.
Result<VectorReport> verify_vectors(const std::filesystem::path& folder);

}  // namespace harness
