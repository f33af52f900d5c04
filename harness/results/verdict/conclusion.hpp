// The last word of a results file, drawn again from its header, its plan and its records: what
// report, diff, merge, --resume, statement and its verification believe. What the file says of
// itself is compared with that, and a file that does not add up is refused.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/results/gate/waivers.hpp"
#include "harness/results/records/results_file.hpp"
#include "harness/results/verdict/suite_knowledge.hpp"

namespace harness {

// Results that add up, with waivers applied.
struct ConcludedRun {
  ResultsFile results;    // its end record is what the file says, where it has one
  EndRecord end;          // what follows; times are those of the end record
  bool complete = false;  // nothing that was asked for is missing, whatever the verdict
  std::vector<WaiverUse> waivers;
  std::vector<std::string> notes;  // what could not be checked here, a line each
};

struct ConcludeOptions {
  // Whether right bytes are computed again, for cases that are said to pass. Not needed where this
  // process has just compared them.
  bool bytes = true;
  // Whether results of another build of the suite are taken, whose plan this one cannot make: then
  // only what the records say of each other is checked, and a note says so.
  bool other_builds = false;
  // Without them no failure is waived, whatever the records say: who may waive is not in the file.
  // `today` is "2026-11-29".
  std::optional<std::vector<Waiver>> waivers;
  std::string today;
};

// Checked, each by itself:
// - the header: this build makes the same plan of it, from suite, operations, level, filters, seed
//   and implementations; every kernel of the build is an implementation or a row that was not run;
//   what a profile says is what its digest and, of a shipped one, its name say
// - every record is of a planned case, once, with its place in the plan and its spec
// - right bytes have the oracle's digest, and the coverage is that of the cases
// - the end record says what follows from all that
// A run that lacks something is no fault: its verdict says so. Error: `name` and what does not add
// up, the first faults each.
Result<ConcludedRun> conclude(ResultsFile results, std::string_view name,
                              const SuiteKnowledge& knowledge, const ConcludeOptions& options = {});

// The same check without a conclusion.
Status adds_up(const ResultsFile& results, std::string_view name, const SuiteKnowledge& knowledge,
               const ConcludeOptions& options);

// Waivers may not be at hand when a file is read again: that some of them were stale, as the end
// record `said` of it tells, turns a conclusion of CONFORMS into STALE WAIVERS. No other one is
// changed.
void keep_stale_waivers(const EndRecord& said, EndRecord& follows);

// The end record of results that have none yet, because shards were merged: what follows, without
// a check.
EndRecord draw_end(const ResultsFile& results, const SuiteKnowledge& knowledge, bool interrupted,
                   std::span<const WaiverUse> waivers = {});

}  // namespace harness
