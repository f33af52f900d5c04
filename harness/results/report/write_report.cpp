#include <filesystem>
#include <utility>

#include "harness/files/file.hpp"
#include "harness/results/report/report.hpp"

namespace harness {

Status write_report(const std::string& folder, const ConcludedRun& run) {
  constexpr std::size_t max_failures = 1000;
  const std::pair<const char*, std::string> files[] = {
      {"report.html", html_report(run)},
      {"junit.xml", junit_xml(run)},
      {"summary.json", json_summary(run).dump(2) + '\n'},
      {"summary.txt", text_summary(run, max_failures)},
  };
  for (const auto& [name, text] : files) {
    if (Status status = write_text_file(std::filesystem::path(folder) / name, text); !status) {
      return status;
    }
  }
  return {};
}

}  // namespace harness
