#include <algorithm>

#include "harness/results/verdict/verdict.hpp"

namespace harness {

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

}  // namespace harness
