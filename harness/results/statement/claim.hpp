// What a statement claims, in one sentence that can be quoted: what conforms, on what, by which
// profile, and what was not judged. A part of the suite cannot look like the whole in it.
#pragma once

#include <string>
#include <vector>

#include "harness/results/verdict/conclusion.hpp"

namespace harness {

struct Claim {
  std::string sentence;                 // all of it
  std::vector<std::string> judged;      // "qmul4 (fp32, fp16, table) on cpu"
  std::vector<std::string> not_judged;  // "qmul4 qmul4 on cpu: has no host form", "encode_e4m3"
};
Claim claim_of(const ConcludedRun& run, const SuiteKnowledge& knowledge);

// Where a profile differs from the default one, a line each: "e8m0_00 is zero; by default it is
// two_to_minus_127". Names, comments and what is unverified are left out.
std::vector<std::string> profile_differences(const nlohmann::json& profile,
                                             const nlohmann::json& by_default);

}  // namespace harness
