// What a person sees while a run goes on: progress on stderr, wrong cases and the last word on
// stdout.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "harness/cli/terminal.hpp"
#include "harness/results/records/results.hpp"

namespace harness::cli {

struct ScreenOptions : OutputOptions {
  std::uint64_t max_errors = 20;
};

class Screen {
 public:
  // `work` is what each planned case costs, in any unit, by its index in the plan of all shards.
  Screen(const ScreenOptions& options, std::map<std::uint64_t, double> work,
         std::span<const CaseRecord> done_before);

  void record(const nlohmann::ordered_json& record);
  void case_done(const CaseRecord& record);
  void finish(const EndRecord& end, const std::vector<NotRunRecord>& not_run,
              const std::string& results_path);

 private:
  void show(const CaseRecord& record);
  void show_progress();

  ScreenOptions options_;
  bool color_;
  std::map<std::uint64_t, double> work_;
  double work_left_ = 0;
  double work_done_here_ = 0;
  std::uint64_t planned_;
  std::uint64_t done_;
  std::uint64_t wrong_ = 0;    // mismatches and errors
  std::uint64_t not_run_ = 0;  // planned, and could not be
  std::uint64_t left_out_ = 0;
  ProgressLine progress_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace harness::cli
