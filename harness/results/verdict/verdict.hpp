// From the records of a run to its last word (docs/design.md section 7).
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/results/records/results.hpp"

namespace harness {

// Counts case records, by row and in all.
class Tally {
 public:
  // One planned case of a row; rows appear in the order of their first case.
  void plan(const std::string& key, const std::string& operation, const std::string& path,
            const std::string& device);
  // A record counts once, and only where its key was planned; `stray` counts the others.
  void add(const CaseRecord& record);

  const std::vector<ResultRow>& rows() const { return rows_; }
  std::uint64_t planned() const { return planned_.size(); }
  std::uint64_t executed() const { return executed_; }
  std::uint64_t verified() const { return verified_; }
  std::uint64_t mismatches() const { return mismatches_; }
  std::uint64_t errors() const { return errors_; }
  std::uint64_t waived() const { return waived_; }  // neither mismatches nor errors, nor passed
  std::uint64_t stray() const { return stray_; }

 private:
  ResultRow& row(const std::string& operation, const std::string& path, const std::string& device);

  std::vector<ResultRow> rows_;
  std::set<std::string> planned_;
  std::set<std::string> recorded_;
  std::uint64_t executed_ = 0;
  std::uint64_t verified_ = 0;
  std::uint64_t mismatches_ = 0;
  std::uint64_t errors_ = 0;
  std::uint64_t waived_ = 0;
  std::uint64_t stray_ = 0;
};

// Whether coverage is part of the verdict: level full or above, and no case left out by a filter or
// a shard.
bool judges_coverage(const Selection& selection);

// The verdict, its exit code and its reasons. Wrong bytes come before errors, and both before what
// is missing: planned = executed = verified, every requested row, and every required bin where
// coverage is judged; anything less is INCOMPLETE, and so is a run of nothing. A run that lacks
// nothing is STALE WAIVERS where there are `waiver_faults` (one line each), WAIVED where failures
// are waived, and only without these CONFORMS.
EndRecord conclude(const Selection& selection, const Tally& tally,
                   std::span<const NotRunRecord> not_run, std::span<const CoverageRecord> coverage,
                   bool interrupted, std::span<const std::string> waiver_faults = {});

}  // namespace harness
