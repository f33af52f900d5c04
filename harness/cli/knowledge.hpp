// What this build knows of a run that it reads.
#pragma once

#include "harness/cli/suite.hpp"
#include "harness/results/verdict/suite_knowledge.hpp"

namespace harness::cli {

SuiteKnowledge knowledge_of(const Suite& suite);

}  // namespace harness::cli
