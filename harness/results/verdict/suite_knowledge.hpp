// What a build of the suite knows of a run without running anything: enough to plan it again, and
// to say which bytes are right.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/model/known_kernel.hpp"
#include "harness/model/operation.hpp"
#include "harness/model/result.hpp"
#include "harness/results/records/results.hpp"

namespace harness {

struct SuiteKnowledge {
  std::string version;
  std::string commit;
  std::string vectors_sha256;
  std::span<const Operation* const> operations;
  std::vector<KnownKernel> kernels;
  // A profile from what a header embeds, and what a shipped one of that name says.
  std::function<Result<oracle::Profile>(const nlohmann::json& contents)> read_profile;
  std::function<std::optional<nlohmann::json>(const std::string& name)> shipped_profile;
  // The right answer to a golden file's problem. Error: this suite has no such problem.
  std::function<Result<Outputs>(const AskedProblem& asked, const oracle::Profile& profile)>
      golden_outputs;
  // That this process may take to compute bytes again; 0: not held to it.
  std::uint64_t memory_bytes = 0;
};

// Of a profile as JSON, whatever the order of its members.
std::string profile_sha256(const nlohmann::json& contents);

}  // namespace harness
