#include "harness/cli/case_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/terminal.hpp"

namespace harness::cli {
namespace {

constexpr std::size_t listed_mismatches = 3;

}  // namespace

std::string case_text(const CaseRecord& record, bool color) {
  const bool not_run = record.verdict == Verdict::not_run;
  std::string_view word = "MISMATCH";
  if (record.verdict == Verdict::error) word = "ERROR";
  if (not_run) word = "NOT RUN";
  std::string text =
      fmt::format("{} {} {} on {}: {}\n", painted(word, not_run ? yellow : red, color),
                  record.case_id, record.path, record.device, record.reason);
  const Diagnosis& diagnosis = record.diagnosis;
  const std::size_t listed = std::min(diagnosis.first.size(), listed_mismatches);
  for (std::size_t i = 0; i < listed; ++i) text += "  " + diagnosis.first[i].text + '\n';
  if (diagnosis.mismatches > listed) {
    text += fmt::format("  and {} more\n", diagnosis.mismatches - listed);
  }
  for (const Trespass& trespass : record.trespasses) {
    text += fmt::format("  {} {} byte {}: {:#04x} became {:#04x}, {} bytes in all\n",
                        trespass.tensor, trespass.region, trespass.byte, trespass.expected,
                        trespass.actual, trespass.count);
  }
  if (!diagnosis.fault_class.empty()) {
    const bool named = diagnosis.explanation.starts_with(diagnosis.fault_class);
    text += fmt::format("  class: {}{}\n", named ? "" : diagnosis.fault_class + ": ",
                        diagnosis.explanation);
  } else if (!diagnosis.same_bytes_classes.empty()) {
    text += fmt::format("  class: not named. {}\n", diagnosis.explanation);
  } else if (record.verdict == Verdict::mismatch && !diagnosis.first.empty()) {
    text += "  class: none of the known ones accounts for these bytes\n";
    if (!diagnosis.explanation.empty()) text += fmt::format("  {}\n", diagnosis.explanation);
  }
  if (!diagnosis.matching_profile.empty()) {
    text += fmt::format("  all bytes agree with the profile {}\n", diagnosis.matching_profile);
  }
  if (!not_run) text += fmt::format("  reproduce: {}\n", record.reproduce);
  return text;
}

void add_not_run(TextTable& table, const std::vector<NotRunRecord>& not_run) {
  const auto or_star = [](const std::string& text) { return text.empty() ? "*" : text; };
  for (const NotRunRecord& row : not_run) {
    table.add({or_star(row.operation), or_star(row.path), or_star(row.device)},
              "not run: " + row.reason);
  }
}

}  // namespace harness::cli
