// The HTML report in a real browser: headless Chromium, where one is installed. It is no
// requirement of the build; without it these tests are skipped and say so.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "harness/results/report/report.hpp"
#include "harness/results/tests/results_fixture.hpp"

namespace {

using harness::ResultsFile;
using harness::fixture::passing_run;

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer.data(), n);
  }
  pclose(pipe);
  return text;
}

std::string browser() {
  const std::string found =
      output_of("command -v chromium || command -v chromium-browser || command -v google-chrome");
  return found.substr(0, found.find('\n'));
}

std::string file_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void replace(std::string& text, const std::string& what, const std::string& with) {
  const std::size_t at = text.rfind(what);
  ASSERT_NE(at, std::string::npos) << what;
  text.replace(at, what.size(), with);
}

class ReportPageTest : public testing::Test {
 protected:
  void SetUp() override {
    chromium_ = browser();
    if (chromium_.empty()) GTEST_SKIP() << "no chromium, chromium-browser or google-chrome here";
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("fp4cts_page_" + std::to_string(getpid()) + '_' +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  // Opens the page in a window of the given width; gives the lines of report_page_check.js that are
  // not ok.
  std::string checks(const ResultsFile& results, int width) {
    std::string page = harness::html_report(harness::fixture::concluded(results));
    replace(page, "<title>",
            "<script>window.problems = []; addEventListener(\"error\", (e) => "
            "problems.push(e.message));</script><title>");
    replace(page, "</body>", "<script>" + file_text(FP4CTS_PAGE_CHECK) + "</script></body>");
    const std::filesystem::path file = folder_ / "page.html";
    std::ofstream(file, std::ios::binary) << page;
    const std::string dom = output_of(
        chromium_ + " --headless=new --no-sandbox --disable-gpu --user-data-dir='" +
        (folder_ / "profile").string() + "' --window-size=" + std::to_string(width) +
        ",1200 --virtual-time-budget=20000 --dump-dom 'file://" + file.string() + "' 2>/dev/null");
    const std::string open = "<pre id=\"checks\">";
    const std::size_t begin = dom.find(open);
    if (begin == std::string::npos) return "the checks did not come to their end";
    std::istringstream lines(
        dom.substr(begin + open.size(), dom.find("</pre>", begin) - begin - open.size()));
    std::string bad;
    int ok = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("ok: ")) {
        ++ok;
      } else {
        bad += line + '\n';
      }
    }
    constexpr int at_least = 40;
    return ok < at_least ? bad + "only " + std::to_string(ok) + " checks were made" : bad;
  }

 private:
  std::string chromium_;
  std::filesystem::path folder_;
};

ResultsFile failing_run(std::size_t failures) {
  ResultsFile results = passing_run();
  const harness::CaseRecord first = results.cases[0];
  for (std::size_t i = 0; i < failures; ++i) {
    harness::CaseRecord record = first;
    record.index = results.cases.size();
    record.case_id = "nvfp4_gather_index_k/random_" + std::to_string(i);
    if (i % 7 == 3) {
      harness::fixture::make_error(record);
    } else {
      harness::fixture::make_mismatch(record);
    }
    results.cases.push_back(std::move(record));
  }
  results.header.plan_total = results.header.plan_planned = results.cases.size();
  harness::fixture::conclude_anew(results);
  return results;
}

constexpr int desktop = 1400;
constexpr int telephone = 520;

TEST_F(ReportPageTest, AFailingRun) { EXPECT_EQ(checks(failing_run(30), desktop), ""); }

TEST_F(ReportPageTest, AFailingRunOnATelephone) {
  EXPECT_EQ(checks(failing_run(8), telephone), "");
}

TEST_F(ReportPageTest, APassingRun) { EXPECT_EQ(checks(passing_run(), desktop), ""); }

TEST_F(ReportPageTest, ARunOnABoardByABuildOfWhichSomeWasNeverExecuted) {
  ResultsFile results = passing_run();
  results.header.environment["modules_never_executed"] = {"qmul4_qmul4 (sm_100a sm_103a)"};
  results.header.environment["assembled_never_executed"] = "gfx1030 sm_100a";
  results.header.environment["boards"] = {
      {{"device", "cpu"},
       {"pci", "0000:3b:00.0"},
       {"clocks_mhz", {{"sm", 1755}, {"memory", "not available"}}},
       {"throttle_reasons", {"sw_power_cap", "gpu_idle"}},
       {"compute_mode", nullptr},
       {"mig", nullptr}}};
  EXPECT_EQ(checks(results, desktop), "");
}

TEST_F(ReportPageTest, FiveThousandFailures) { EXPECT_EQ(checks(failing_run(5000), desktop), ""); }

}  // namespace
