#include "harness/cli/knowledge.hpp"

#include <algorithm>

#include "harness/cli/environment.hpp"
#include "harness/cli/version.hpp"
#include "harness/files/host_memory.hpp"
#include "harness/suite/profiles/profiles.hpp"
#include "vectors/src/golden.hpp"

namespace harness::cli {
namespace {

std::optional<nlohmann::json> shipped_contents(const std::string& name) {
  const std::vector<ShippedProfile> shipped = shipped_profiles();
  const bool is_shipped =
      std::any_of(shipped.begin(), shipped.end(),
                  [&](const ShippedProfile& each) { return each.name == name; });
  if (!is_shipped) return std::nullopt;
  const Result<oracle::Profile> profile = load_profile(name);
  if (!profile) return std::nullopt;
  return nlohmann::json(to_json(*profile));
}

}  // namespace

SuiteKnowledge knowledge_of(const Suite& suite) {
  SuiteKnowledge knowledge;
  knowledge.version = suite_version();
  knowledge.commit = suite_commit();
  knowledge.vectors_sha256 = vectors_sha256();
  knowledge.operations = suite.operations;
  knowledge.kernels = suite.kernels;
  knowledge.read_profile = [](const nlohmann::json& contents) {
    return profile_from_json(contents, "a profile in a header");
  };
  knowledge.shipped_profile = shipped_contents;
  knowledge.golden_outputs = [](const AskedProblem& asked, const oracle::Profile& profile) {
    return golden_outputs(asked, profile);
  };
  knowledge.memory_bytes = std::max<std::uint64_t>(memory_room().bytes, 1);
  return knowledge;
}

}  // namespace harness::cli
