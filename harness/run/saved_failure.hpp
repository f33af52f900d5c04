// Failures that fuzzing found, kept as golden vectors: the problem and its expected bytes, which
// any program can be checked with, and in the metadata the spec that the case is built from again.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "harness/model/case.hpp"
#include "harness/model/operation.hpp"
#include "harness/model/result.hpp"
#include "harness/results/records/results.hpp"
#include "oracle/profile.hpp"

namespace harness {

struct SavedFailure {
  std::filesystem::path path;  // of the first call
  Case from;                   // its id is "<operation>/saved_<first digits of the spec's digest>"
  std::string comment;         // what failed, and how
};

// The id of a saved case, and the stem of its file: it names the spec and nothing else.
std::string saved_case_id(std::string_view operation, const nlohmann::json& spec);
// FOLDER/<operation>/saved_<digits>.safetensors.
std::filesystem::path saved_failure_path(const std::filesystem::path& folder,
                                         std::string_view operation, const nlohmann::json& spec);

// Writes the calls of a case with the bytes expected by `profile`, a file each; a file that is
// there is replaced, since it is of the same spec. `seed` is the run's. Error: io_error, or the
// contract.
Status save_failure(const std::filesystem::path& folder, const Operation& operation,
                    const nlohmann::json& spec, const oracle::Profile& profile,
                    const CaseRecord& record, std::uint64_t seed);

// The failures in a file or, in order of path, a folder; a folder that is not there holds none.
// Error: malformed, naming the file: no saved failure, of an unknown operation, or a spec that
// builds other bytes than the file holds, so that it would not be replayed but replaced.
Result<std::vector<SavedFailure>> read_saved_failures(const std::filesystem::path& path,
                                                      std::span<const Operation* const> operations);

}  // namespace harness
