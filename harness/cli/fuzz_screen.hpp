// What a person sees of a fuzzing run: progress on stderr, failures and the table on stdout.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/cli/terminal.hpp"
#include "harness/run/fuzz.hpp"

namespace harness::cli {

class FuzzScreen {
 public:
  // `seconds`, `max_cases`: as FuzzInputs has them.
  FuzzScreen(const OutputOptions& options, double seconds, std::uint64_t max_cases);

  void failure(const FuzzFailure& failure);
  void progress(const FuzzProgress& progress);
  // `word`: the last one, and its color.
  void finish(const FuzzSummary& summary, const std::vector<NotRunRecord>& not_run,
              std::uint64_t seed, std::string_view word, std::string_view hue);

 private:
  bool json_;
  bool color_;
  double seconds_;
  std::uint64_t max_cases_;
  ProgressLine progress_;
};

}  // namespace harness::cli
