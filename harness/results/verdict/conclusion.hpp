// The last word of a results file, found again from its records: after a merge, with waivers, or
// when it is only read. It never says more than the records prove.
#pragma once

#include <span>

#include "harness/results/gate/waivers.hpp"
#include "harness/results/records/results_file.hpp"

namespace harness {

// `results` has its waivers applied; `waivers` says what they did. A file without its end record,
// or with fewer records than were planned, is INCOMPLETE at best. Waived failures make the verdict
// WAIVED at best, and a waiver at fault STALE WAIVERS. Times are those of the end record.
EndRecord conclude(const ResultsFile& results, std::span<const WaiverUse> waivers);

}  // namespace harness
