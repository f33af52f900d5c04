#include "harness/cli/screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/cli/case_text.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/text_table.hpp"
#include "harness/files/shell.hpp"

namespace harness::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::string_view color_of(RunVerdict verdict) {
  switch (verdict) {
    case RunVerdict::conforms:
      return green;
    case RunVerdict::incomplete:
    case RunVerdict::waived:
      return yellow;
    case RunVerdict::mismatch:
    case RunVerdict::error:
    case RunVerdict::stale_waivers:
      return red;
  }
  return red;
}

std::string table(const EndRecord& end, const std::vector<NotRunRecord>& not_run) {
  TextTable table({{"operation"},
                   {"path"},
                   {"device"},
                   {"planned", Align::right},
                   {"run", Align::right},
                   {"compared", Align::right},
                   {"mismatches", Align::right},
                   {"errors", Align::right},
                   {"GB/s", Align::right}});
  for (const ResultRow& row : end.rows) {
    table.add({row.operation, row.path, row.device, fmt::format("{}", row.planned),
               fmt::format("{}", row.run), human_bytes(static_cast<double>(row.bytes_compared)),
               fmt::format("{}", row.mismatches), fmt::format("{}", row.errors),
               row.gigabytes_per_second > 0 && row.mismatches + row.errors == 0
                   ? fmt::format("{:.3g}", row.gigabytes_per_second)
                   : "-"});  // how fast wrong bytes were is no speed
  }
  add_not_run(table, not_run);
  return table.text();
}

}  // namespace

Screen::Screen(const ScreenOptions& options, std::map<std::uint64_t, double> work,
               std::span<const CaseRecord> done_before)
    : options_(options),
      color_(options.color && can_show_color()),
      work_(std::move(work)),
      planned_(work_.size()),
      done_(done_before.size()),
      progress_(options.quiet || work_.empty()) {
  for (const auto& [index, cost] : work_) work_left_ += cost;
  for (const CaseRecord& record : done_before) work_left_ -= work_[record.index];
}

void Screen::record(const nlohmann::ordered_json& record) {
  if (options_.json) print_json(record);
}

void Screen::case_done(const CaseRecord& record) {
  ++done_;
  work_left_ -= work_[record.index];
  work_done_here_ += work_[record.index];
  if (record.verdict != Verdict::pass) {
    ++(record.verdict == Verdict::not_run ? not_run_ : wrong_);
    if (!options_.json) show(record);
  }
  show_progress();
}

void Screen::show(const CaseRecord& record) {
  if (wrong_ + not_run_ > options_.max_errors) {
    ++left_out_;
    return;
  }
  progress_.clear();
  print(case_text(record, color_));
}

void Screen::show_progress() {
  if (!progress_.due()) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  std::string counts = fmt::format("{} of {} cases, {} wrong", done_, planned_, wrong_);
  if (work_done_here_ > 0) {
    counts += fmt::format(", {} left", clock_time(seconds * work_left_ / work_done_here_));
  }
  if (not_run_ != 0) counts += fmt::format(", {} not run", not_run_);
  constexpr std::uint64_t width = 30;
  const std::uint64_t filled = width * done_ / planned_;
  progress_.show(
      counts, fmt::format("[{}{}] ", std::string(filled, '#'), std::string(width - filled, '.')));
}

void Screen::finish(const EndRecord& end, const std::vector<NotRunRecord>& not_run,
                    const std::string& results_path) {
  progress_.clear();
  if (options_.json) return;
  std::string text;
  if (left_out_ != 0) {
    text +=
        fmt::format("{} more are not shown (--max-errors {})\n", left_out_, options_.max_errors);
  }
  if (wrong_ + not_run_ != 0) text += '\n';
  text += table(end, not_run);
  text += '\n';
  if (!results_path.empty()) text += fmt::format("results: {}\n", results_path);
  for (const std::string& reason : end.reasons) text += reason + '\n';
  if (end.interrupted && !results_path.empty()) {
    text += fmt::format("go on with: fp4cts run --resume {}\n", shell_word(results_path));
  }
  text += painted(verdict_line(end), color_of(end.verdict), color_) + '\n';
  print(text);
}

}  // namespace harness::cli
