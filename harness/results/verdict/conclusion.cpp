#include "harness/results/verdict/conclusion.hpp"

#include <fmt/format.h>

#include "harness/results/verdict/verdict.hpp"

namespace harness {

EndRecord conclude(const ResultsFile& results, std::span<const WaiverUse> waivers) {
  Tally tally;
  for (const CaseRecord& record : results.cases) {
    tally.plan(record.key(), record.operation, record.path, record.device);
  }
  for (const CaseRecord& record : results.cases) tally.add(record);
  const RunHeader& header = results.header;
  const bool interrupted = !results.end || results.end->interrupted;
  EndRecord end = conclude(header.selection, tally, results.not_run, results.coverage, interrupted,
                           waiver_faults(waivers));
  if (end.planned != header.plan_planned) {
    end.reasons.push_back(
        fmt::format("{} of {} planned cases have a record", end.planned, header.plan_planned));
    end.planned = header.plan_planned;
    end.statement = false;
    if (end.exit_code != 1 && end.exit_code != 3) {
      constexpr int exit_incomplete = 4;
      end.verdict = RunVerdict::incomplete;
      end.exit_code = exit_incomplete;
    }
  }
  // The waivers that a run was given may not be at hand when it is read again; their fault stays.
  const bool was_stale = results.end && results.end->verdict == RunVerdict::stale_waivers;
  if (was_stale && waivers.empty() && end.exit_code == 0) {
    end.verdict = results.end->verdict;
    end.exit_code = results.end->exit_code;
    end.reasons = results.end->reasons;
    end.statement = false;
  }
  if (results.end) {
    end.finished = results.end->finished;
    end.seconds = results.end->seconds;
  }
  return end;
}

}  // namespace harness
