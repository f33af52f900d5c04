#include <filesystem>
#include <utility>

#include "harness/files/file.hpp"
#include "harness/results/report/report.hpp"

namespace harness {

Status write_report(const std::string& folder, const ResultsFile& results,
                    std::span<const WaiverUse> waivers) {
  constexpr std::size_t max_failures = 1000;
  const std::pair<const char*, std::string> files[] = {
      {"report.html", html_report(results, waivers)},
      {"junit.xml", junit_xml(results, waivers)},
      {"summary.json", json_summary(results, waivers).dump(2) + '\n'},
      {"summary.txt", text_summary(results, waivers, max_failures)},
  };
  for (const auto& [name, text] : files) {
    if (Status status = write_text_file(std::filesystem::path(folder) / name, text); !status) {
      return status;
    }
  }
  return {};
}

}  // namespace harness
