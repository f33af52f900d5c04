// Property-based fuzzing: random cases of every operation on every implementation, judged as a run
// judges its cases; what fails is made small, saved, and replayed first the next time
// (docs/design.md section 10).
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "harness/model/coverage.hpp"
#include "harness/model/implementation.hpp"
#include "harness/model/operation.hpp"
#include "harness/model/result.hpp"
#include "harness/results/records/results.hpp"
#include "harness/run/saved_failure.hpp"

namespace harness {

// Random case `number` of an operation, from 0 on: its seed decides all of it, whatever else is
// fuzzed and wherever.
Case random_case(const Operation& operation, std::uint64_t seed, std::uint64_t number);

struct FuzzInputs {
  std::span<const Operation* const> operations;  // those without an implementation are left out
  std::span<const std::unique_ptr<Implementation>> implementations;  // available ones
  std::span<const SavedFailure> saved;                               // replayed before all else
  std::string profile;          // to judge by; empty: the one that each implementation declares
  std::uint64_t seed = 0;       // 0 to 2^63 - 1
  double seconds = 60;          // of random cases; what is then in flight ends
  std::uint64_t max_cases = 0;  // random cases; 0: as many as the time allows
  std::uint64_t max_case_bytes = 0;     // of a random case's tensors; 0: no limit
  double shrink_seconds = 20;           // for one failure
  double slow_error_seconds = 10;       // an error that took this long is a slow one
  unsigned threads = 1;                 // that build cases and ask the oracle
  std::filesystem::path failures;       // folder in which failures are saved; empty: they are not
  std::string command = "fp4cts fuzz";  // what a reproduce command begins with
  const std::atomic<bool>* interrupted = nullptr;
};

// The first failure of its kind on an implementation: of a class of fault, a place that may not be
// written, or a way to break. Later ones of the kind are counted alone.
struct FuzzFailure {
  std::string found_by;        // the id of the random case, or the file that was replayed
  CaseRecord record;           // of the case as it is shrunk and saved
  nlohmann::json spec;         // of that case
  std::uint64_t tried = 0;     // specs that shrinking ran
  bool smallest = true;        // false: the budget ended before shrinking did
  std::filesystem::path file;  // that holds it; empty where it is not saved
};

struct FuzzProgress {
  std::uint64_t cases = 0;     // random ones, each on all implementations of its operation
  std::uint64_t judged = 0;    // cases judged, each implementation for itself
  std::uint64_t failures = 0;  // of those judged
  double seconds = 0;
};

// What one implementation was given, and how it did.
struct FuzzRow {
  std::string operation;
  std::string path;
  std::string device;
  std::uint64_t judged = 0;
  std::uint64_t mismatches = 0;           // cases
  std::uint64_t errors = 0;               // cases
  std::uint64_t kinds = 0;                // of failure
  std::string given_up;                   // why it was not given all cases; empty where it was
  Coverage coverage;                      // of the cases that ended in a comparison
  std::vector<std::string> missing_bins;  // required of level full, and not hit
};

struct FuzzSummary {
  std::vector<FuzzRow> rows;
  FuzzProgress total;              // replayed cases are counted in `judged` and `failures`
  std::uint64_t replayed = 0;      // saved failures, each on each implementation
  std::uint64_t still_fail = 0;    // of these
  std::uint64_t not_replayed = 0;  // saved failures of operations that nothing here implements
  bool interrupted = false;

  std::uint64_t mismatches() const;
  std::uint64_t errors() const;
};

struct FuzzObserver {
  std::function<void(const FuzzFailure& failure)> failure;
  std::function<void(const FuzzProgress& progress)> progress;  // after each case
};

// An implementation of which three cases running end in a slow error is given up.
// Error: a random case breaks its contract, which is a fault of the suite; an unknown profile; a
// failure could not be saved.
Result<FuzzSummary> fuzz(const FuzzInputs& inputs, const FuzzObserver& observer);

nlohmann::ordered_json to_json(const FuzzFailure& failure);
nlohmann::ordered_json to_json(const FuzzSummary& summary);

}  // namespace harness
