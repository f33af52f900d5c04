// Whether a header can be that of a run of this build.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/results/records/results_file.hpp"
#include "harness/results/verdict/plan.hpp"
#include "harness/results/verdict/suite_knowledge.hpp"

namespace harness {

// The plan of the header, by this build. `not_run` are the rows of its file.
// Error: the header's own members contradict each other.
Result<Plan> plan_again(const RunHeader& header, const SuiteKnowledge& knowledge);

// What is not of its form in what a file says of itself (versions, digests, times), and what a
// build of this commit cannot have written, one line each. Statements quote these.
std::vector<std::string> identity_faults(const ResultsFile& results,
                                         const SuiteKnowledge& knowledge);

// What does not add up in the profiles that the header embeds, one line each.
std::vector<std::string> profile_faults(const RunHeader& header, const SuiteKnowledge& knowledge);

// What does not add up in the header, one line each.
std::vector<std::string> header_faults(const RunHeader& header,
                                       std::span<const NotRunRecord> not_run, const Plan& plan,
                                       const SuiteKnowledge& knowledge);

}  // namespace harness
