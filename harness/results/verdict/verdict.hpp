// From the records of a run to its last word (docs/design.md section 7).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/model/operation.hpp"
#include "harness/results/records/results.hpp"
#include "harness/results/verdict/plan.hpp"

namespace harness {

// "operation path device", as ImplementationInfo::key() has it.
template <class Record>
std::string row_name(const Record& record) {
  return record.operation + ' ' + record.path + ' ' + record.device;
}

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

// The device of answers to golden files, which `fp4cts check` judges: nobody knows where they ran.
inline constexpr const char* answers_from_outside = "outside";
// Whether these are results of that command: such files have no plan but their records.
bool judges_answers(const RunHeader& header);

// One case on one implementation, as it was planned.
struct PlannedRow {
  std::uint64_t index = 0;
  std::string case_id;
  std::string case_sha256;
  std::string operation;
  std::string path;
  std::string device;

  std::string key() const { return case_id + ' ' + path + ' ' + device; }
};

// What a run had to do: the rows of its shard, and the filters that select nothing in any shard.
struct PlannedRun {
  std::vector<PlannedRow> rows;
  std::vector<std::string> idle_filters;
};
// `implementations` are those that the plan was made from.
PlannedRun planned_run(const Plan& plan, std::span<const ImplementationInfo> implementations);

// Takes the records of a run one by one, and draws its verdict from them. This is the only place
// where a verdict comes from: of a run that has just ended, and of a file that is read again.
class VerdictBook {
 public:
  // `operations` say which bins must be hit; of one that is not among them none.
  VerdictBook(const RunHeader& header, const PlannedRun& plan,
              std::span<const Operation* const> operations);

  void add(const NotRunRecord& record) { not_run_.push_back(record); }
  void add(const CaseRecord& record);
  void add(const CoverageRecord& record);
  // Something else that keeps the run from being whole, in words.
  void lack(std::string reason) { lacks_.push_back(std::move(reason)); }
  void add(const BoardRecord& record) { boards_.push_back(record); }

  const Tally& tally() const { return tally_; }

  // The verdict, its exit code and its reasons. Wrong bytes come before errors, and both before
  // what is missing: planned = executed = verified, everything that was asked for, and every
  // required bin where coverage is judged; anything less is INCOMPLETE, and so is a run of nothing.
  // A file that answers cannot be judged by is an error, with the exit code of bad input.
  // A run that lacks nothing is STALE WAIVERS where there are `waiver_faults` (one line each),
  // WAIVED where failures are waived, and only without these CONFORMS. Memory errors of a board
  // that ECC corrected stand in its scope; with one that it could not correct there is no
  // statement.
  EndRecord conclude(bool interrupted, std::span<const std::string> waiver_faults = {}) const;
  // What keeps the run from being whole, one line each.
  std::vector<std::string> missing(bool interrupted) const;

  // Why the records cannot be those of a run of this plan, one line each.
  std::vector<std::string> contradictions(bool ended) const;

 private:
  std::string no_statement() const;
  std::vector<std::string> scope() const;

  const RunHeader& header_;
  const PlannedRun& plan_;
  std::span<const Operation* const> operations_;
  Tally tally_;
  std::map<std::string, const PlannedRow*> rows_;      // by key
  std::map<std::string, std::string> profile_sha256_;  // by operation, path and device
  std::map<std::string, std::pair<std::string, std::string>> passed_;  // digest and key, by case
  std::vector<NotRunRecord> not_run_;
  std::vector<BoardRecord> boards_;
  std::vector<CoverageRecord> coverage_;  // without its counts
  std::vector<std::string> faults_;
  std::vector<std::string> lacks_;
  bool has_cases_ = false;
};

// The digest of the profile that each implementation of the header is judged by, by its key; empty
// where the header embeds none of that name.
std::map<std::string, std::string> judging_profiles(const RunHeader& header);

}  // namespace harness
