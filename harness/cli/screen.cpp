#include "harness/cli/screen.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/case_text.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/text_table.hpp"

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
    table.add(
        {row.operation, row.path, row.device, fmt::format("{}", row.planned),
         fmt::format("{}", row.run), human_bytes(static_cast<double>(row.bytes_compared)),
         fmt::format("{}", row.mismatches), fmt::format("{}", row.errors),
         row.gigabytes_per_second > 0 ? fmt::format("{:.3g}", row.gigabytes_per_second) : "-"});
  }
  add_not_run(table, not_run);
  return table.text();
}

}  // namespace

Screen::Screen(const ScreenOptions& options, std::uint64_t planned, std::uint64_t done_before)
    : options_(options),
      color_(options.color && can_show_color()),
      planned_(planned),
      done_(done_before),
      progress_(options.quiet || planned == 0) {}

void Screen::record(const nlohmann::ordered_json& record) {
  if (options_.json) print_json(record);
}

void Screen::case_done(const CaseRecord& record) {
  ++done_;
  ++done_here_;
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
  const double rate = static_cast<double>(done_here_) /
                      std::chrono::duration<double>(Clock::now() - start_).count();
  const double left = static_cast<double>(planned_ - done_) / rate;
  std::string counts = fmt::format("{} of {} cases, {:.1f}/s, {} left, {} wrong", done_, planned_,
                                   rate, clock_time(left), wrong_);
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
  text += painted(verdict_line(end), color_of(end.verdict), color_) + '\n';
  print(text);
}

}  // namespace harness::cli
