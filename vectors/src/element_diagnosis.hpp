// Explains wrong bytes of element tables.
#pragma once

#include "harness/model/diagnosis.hpp"
#include "vectors/src/element_table.hpp"

namespace harness {

// Preconditions: as diagnose_outputs.
Diagnosis diagnose_elements(const ElementTable& table, const Problem& problem,
                            const oracle::Profile& profile, const Outputs& expected,
                            const Outputs& actual);

}  // namespace harness
