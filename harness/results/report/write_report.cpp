#include <array>
#include <filesystem>
#include <functional>
#include <string>

#include "harness/files/file.hpp"
#include "harness/results/report/report.hpp"

namespace harness {

Status write_report(const std::string& folder, const ConcludedRun& run) {
  constexpr std::size_t max_failures = 1000;
  // One after the other: those of a run in which everything fails are large.
  const std::array<std::function<std::string()>, report_file_names.size()> texts{
      [&] { return html_report(run); }, [&] { return junit_xml(run); },
      [&] { return json_summary(run).dump(2) + '\n'; },
      [&] { return text_summary(run, max_failures); }};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::filesystem::path file = std::filesystem::path(folder) / report_file_names[i];
    if (Status status = write_text_file(file, texts[i]()); !status) return status;
  }
  return {};
}

}  // namespace harness
