#include "harness/results/verdict/verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace harness {
namespace {

std::string cases(std::uint64_t count, std::uint64_t planned) {
  return fmt::format("{} of {} cases", count, planned);
}

std::string describe(const NotRunRecord& record) {
  std::string what =
      record.operation.empty() ? record.path : fmt::format("{} {}", record.operation, record.path);
  if (!record.device.empty()) {
    what = what.empty() ? record.device : fmt::format("{} on {}", what, record.device);
  }
  return fmt::format("requested, and not run: {}: {}", what, record.reason);
}

std::string describe_missing(const CoverageRecord& record) {
  constexpr std::size_t listed = 8;
  const std::size_t count = std::min(record.missing_bins.size(), listed);
  std::string text = fmt::format(
      "coverage: {} {} on {} did not hit {} required bins: {}", record.operation, record.path,
      record.device, record.missing_bins.size(),
      fmt::join(record.missing_bins.begin(),
                record.missing_bins.begin() + static_cast<std::ptrdiff_t>(count), ", "));
  if (record.missing_bins.size() > listed) text += ", ...";
  return text;
}

// What is missing from a run, a line each.
std::vector<std::string> missing(const Tally& tally, std::span<const NotRunRecord> not_run,
                                 std::span<const CoverageRecord> coverage, bool interrupted) {
  std::vector<std::string> reasons;
  if (interrupted) reasons.emplace_back("interrupted");
  if (tally.planned() == 0) reasons.emplace_back("nothing was planned: no case is selected");
  if (tally.executed() < tally.planned()) {
    reasons.push_back(cases(tally.planned() - tally.executed(), tally.planned()) + " did not run");
  }
  if (tally.stray() != 0) {
    reasons.push_back(fmt::format("{} records are of cases that were not planned, or twice of one",
                                  tally.stray()));
  }
  for (const NotRunRecord& record : not_run) {
    if (record.requested) reasons.push_back(describe(record));
  }
  for (const CoverageRecord& record : coverage) {
    if (record.judged && !record.missing_bins.empty()) reasons.push_back(describe_missing(record));
  }
  return reasons;
}

// Why a run that conforms is no conformance statement; empty where it is one.
std::string no_statement(const Selection& selection) {
  if (selection.level < Level::full) {
    return fmt::format("level {} is no conformance statement: that takes full or exhaustive",
                       name_of(selection.level));
  }
  if (selection.shard.count > 1) {
    return fmt::format("shard {}/{} alone is no conformance statement: that takes all of them",
                       selection.shard.index, selection.shard.count);
  }
  if (!judges_coverage(selection)) {
    return "a filtered run is no conformance statement: that takes every case";
  }
  return {};
}

}  // namespace

ResultRow& Tally::row(const std::string& operation, const std::string& path,
                      const std::string& device) {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const ResultRow& each) {
    return each.operation == operation && each.path == path && each.device == device;
  });
  if (found != rows_.end()) return *found;
  ResultRow added;
  added.operation = operation;
  added.path = path;
  added.device = device;
  rows_.push_back(std::move(added));
  return rows_.back();
}

void Tally::plan(const std::string& key, const std::string& operation, const std::string& path,
                 const std::string& device) {
  if (planned_.insert(key).second) ++row(operation, path, device).planned;
}

void Tally::add(const CaseRecord& record) {
  if (!planned_.contains(record.key()) || !recorded_.insert(record.key()).second) {
    ++stray_;
    return;
  }
  if (record.verdict == Verdict::not_run) return;
  ResultRow& counted = row(record.operation, record.path, record.device);
  ++executed_;
  ++counted.run;
  counted.bytes_compared += record.bytes_compared;
  if (record.verdict != Verdict::error) ++verified_;
  if (!record.waiver.empty() && record.verdict != Verdict::pass) {
    ++waived_;
    ++counted.waived;
    return;
  }
  if (record.verdict == Verdict::error) {
    ++errors_;
    ++counted.errors;
    return;
  }
  if (record.verdict == Verdict::mismatch) {
    ++mismatches_;
    ++counted.mismatches;
  } else {
    ++counted.passed;
  }
  if (record.seconds > 0) {
    constexpr double giga = 1e9;
    counted.gigabytes_per_second =
        std::max(counted.gigabytes_per_second,
                 static_cast<double>(record.bytes_moved) / giga / record.seconds);
  }
}

bool judges_coverage(const Selection& selection) {
  return selection.level >= Level::full && selection.filters.empty() &&
         selection.excludes.empty() && selection.shard.count == 1;
}

EndRecord conclude(const Selection& selection, const Tally& tally,
                   std::span<const NotRunRecord> not_run, std::span<const CoverageRecord> coverage,
                   bool interrupted, std::span<const std::string> waiver_faults) {
  constexpr int exit_conforms = 0;
  constexpr int exit_mismatch = 1;
  constexpr int exit_error = 3;
  constexpr int exit_incomplete = 4;
  EndRecord end;
  end.interrupted = interrupted;
  end.planned = tally.planned();
  end.executed = tally.executed();
  end.verified = tally.verified();
  end.rows = tally.rows();
  if (tally.mismatches() != 0) {
    end.reasons.push_back(cases(tally.mismatches(), tally.planned()) + " give wrong bytes");
  }
  if (tally.errors() != 0) {
    end.reasons.push_back(cases(tally.errors(), tally.planned()) + " ended in an error");
  }
  if (tally.waived() != 0) {
    end.reasons.push_back(cases(tally.waived(), tally.planned()) + " failed and are waived");
  }
  end.reasons.insert(end.reasons.end(), waiver_faults.begin(), waiver_faults.end());
  const std::vector<std::string> lacks = missing(tally, not_run, coverage, interrupted);
  end.reasons.insert(end.reasons.end(), lacks.begin(), lacks.end());
  if (tally.mismatches() != 0) {
    end.verdict = RunVerdict::mismatch;
    end.exit_code = exit_mismatch;
  } else if (tally.errors() != 0) {
    end.verdict = RunVerdict::error;
    end.exit_code = exit_error;
  } else if (!lacks.empty() || end.executed != end.planned) {
    end.verdict = RunVerdict::incomplete;
    end.exit_code = exit_incomplete;
  } else if (!waiver_faults.empty()) {
    end.verdict = RunVerdict::stale_waivers;
    end.exit_code = exit_mismatch;
  } else if (tally.waived() != 0) {
    end.verdict = RunVerdict::waived;
    end.exit_code = exit_conforms;
  } else {
    end.verdict = RunVerdict::conforms;
    end.exit_code = exit_conforms;
    const std::string reason = no_statement(selection);
    end.statement = reason.empty();
    if (!end.statement) end.reasons.push_back(reason);
  }
  return end;
}

}  // namespace harness
