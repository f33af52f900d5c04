// Sets of golden vectors. A set is made from its name and a seed, and its files have the same bytes
// on every machine; `curated` and `real` are kept as data and not made.
//
//   elements    every element table
//   curated     single cases from public reports (curated.hpp)
//   real        rows of a small model's weights, and pages of them
//   smoke, standard, full, exhaustive
//               every call of every case of that level and those below it, all operations; a call
//               that repeats an earlier one of its case is left out
//
// Paths: SET/TABLE.safetensors, SET/OPERATION/CASE.safetensors, and CASE.call1.safetensors for the
// second call of a case.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/files/problem_file.hpp"
#include "harness/model/result.hpp"
#include "vectors/src/manifest.hpp"

namespace harness {

struct VectorSet {
  std::string_view name;
  std::string_view summary;
  bool kept = false;    // data, not made
  bool seeded = false;  // a set of cases; else the seed is 0
};
std::span<const VectorSet> all_vector_sets();
Result<const VectorSet*> vector_set_named(std::string_view name);

// The paths of the set's files, in order; of a case with several calls, the path of the first.
// Nothing is built for it.
Result<std::vector<std::string>> set_paths(const VectorSet& set, std::uint64_t seed);

// The path of the first call of the case that a file belongs to.
std::string first_call_path(std::string_view path);

// Gives every file of the set to `take`, one at a time and in order, until it returns an error.
// Error: invalid_argument for a set that is kept as data.
using TakeVector = std::function<Result<void>(const std::string& path, const ProblemFile& file)>;
Result<void> make_set(const VectorSet& set, std::uint64_t seed, const TakeVector& take);

// Writes the files of a set under `folder`. Error: as make_set, and of the files.
Result<void> write_set(const VectorSet& set, std::uint64_t seed,
                       const std::filesystem::path& folder,
                       const std::function<void(const std::string& path)>& progress);

// Makes sets, named and seeded by `sets`, under `folder`, which must be empty or absent, and writes
// its manifest. `progress` is called after each file.
Result<Manifest> generate_sets(const std::vector<ManifestSet>& sets,
                               const std::filesystem::path& folder,
                               const std::function<void(const std::string& path)>& progress);

}  // namespace harness
