#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "harness/files/file.hpp"
#include "harness/results/report/report.hpp"

namespace harness {

Status write_report(const std::string& folder, const ConcludedRun& run) {
  constexpr std::size_t max_failures = 1000;
  // One after the other: those of a run in which everything fails are large.
  const std::pair<const char*, std::function<std::string()>> files[] = {
      {"report.html", [&] { return html_report(run); }},
      {"junit.xml", [&] { return junit_xml(run); }},
      {"summary.json", [&] { return json_summary(run).dump(2) + '\n'; }},
      {"summary.txt", [&] { return text_summary(run, max_failures); }},
  };
  for (const auto& [name, text] : files) {
    if (Status status = write_text_file(std::filesystem::path(folder) / name, text()); !status) {
      return status;
    }
  }
  return {};
}

}  // namespace harness
