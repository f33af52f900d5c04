// A failing case as a person reads it.
#pragma once

#include <string>

#include "harness/results.hpp"

namespace harness::cli {

// Verdict, the first wrong bytes, the class of fault and the command that reproduces it, a line
// each. Precondition: the case did not pass.
std::string case_text(const CaseRecord& record, bool color);

}  // namespace harness::cli
