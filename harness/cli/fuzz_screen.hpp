// What a person sees of a fuzzing run: progress on stderr, failures and the table on stdout.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/fuzz.hpp"

namespace harness::cli {

struct FuzzScreenOptions {
  bool quiet = false;  // no progress
  bool json = false;   // stdout holds a JSON object for each failure and one at the end
  bool color = true;   // where stdout is a terminal
};

class FuzzScreen {
 public:
  // `seconds`, `max_cases`: as FuzzInputs has them.
  FuzzScreen(const FuzzScreenOptions& options, double seconds, std::uint64_t max_cases);
  ~FuzzScreen() { clear_bar(); }
  FuzzScreen(const FuzzScreen&) = delete;
  FuzzScreen& operator=(const FuzzScreen&) = delete;
  FuzzScreen(FuzzScreen&&) = delete;
  FuzzScreen& operator=(FuzzScreen&&) = delete;

  void failure(const FuzzFailure& failure);
  void progress(const FuzzProgress& progress);
  // `word`: the last one, and its color.
  void finish(const FuzzSummary& summary, const std::vector<NotRunRecord>& not_run,
              std::uint64_t seed, std::string_view word, std::string_view hue);

 private:
  void clear_bar();

  FuzzScreenOptions options_;
  bool bar_;
  bool color_;
  double seconds_;
  std::uint64_t max_cases_;
  bool bar_shown_ = false;
  std::chrono::steady_clock::time_point last_progress_ = std::chrono::steady_clock::now();
};

}  // namespace harness::cli
