#include "harness/results/report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "harness/results/tests/junit_form.hpp"
#include "harness/results/tests/results_fixture.hpp"

namespace {

using harness::ResultsFile;
using harness::WaiverUse;
using harness::fixture::concluded;
using harness::fixture::passing_run;
using harness::fixture::record;
using testing::HasSubstr;
using testing::Not;

const std::string prefix = "nvfp4_gather_index_k/";

// One mismatch, one error, one not run, one waived mismatch, eight passes.
ResultsFile mixed_run() {
  ResultsFile results = passing_run();
  harness::fixture::make_mismatch(record(results, prefix + "layout_page table cpu"));
  harness::fixture::make_error(record(results, prefix + "reversed_table fp32 cpu"));
  harness::fixture::make_not_run(record(results, prefix + "high_ids fp32 cpu"));
  harness::fixture::make_mismatch(record(results, prefix + "high_ids table cpu"));
  record(results, prefix + "high_ids table cpu").waiver = "https://tracker.example/KV-12";
  record(results, prefix + "layout_page table cpu")
      .trespasses.push_back({"out", "guard after", 16384, 0xa5, 0x00, 16});
  harness::fixture::conclude_anew(results);
  return results;
}

pugi::xml_document parsed(const ResultsFile& results, const std::vector<WaiverUse>& waivers = {}) {
  pugi::xml_document document;
  const auto status = document.load_string(harness::junit_xml(concluded(results, waivers)).c_str());
  EXPECT_TRUE(status) << status.description();
  return document;
}

std::string at(const pugi::xml_document& document, const char* path) {
  return document.select_node(path).attribute().value();
}

TEST(SummaryTest, CountsEachCaseOnce) {
  const harness::Summary summary = harness::summarize(concluded(mixed_run()));
  EXPECT_EQ(summary.counts.planned, 12u);
  EXPECT_EQ(summary.counts.passed, 8u);
  EXPECT_EQ(summary.counts.mismatch, 1u);
  EXPECT_EQ(summary.counts.error, 1u);
  EXPECT_EQ(summary.counts.not_run, 1u);
  EXPECT_EQ(summary.counts.waived, 1u);
  EXPECT_EQ(summary.sentence,
            "Of 12 planned cases 1 gave wrong bytes, 1 ended in an error, 1 was not run, 1 failed "
            "and is waived; 8 passed.");
  EXPECT_EQ(summary.rows.size(), 2u);
  EXPECT_NEAR(summary.rows[0].gigabytes_per_second, 25600 / 0.001 * 1e-9, 1e-9);
}

TEST(SummaryTest, CasesWithoutARecordWereNotRun) {
  ResultsFile results = passing_run();
  results.cases.resize(7);
  results.end.reset();
  const harness::Summary summary = harness::summarize(concluded(results));
  EXPECT_EQ(summary.counts.planned, 12u);
  EXPECT_EQ(summary.counts.not_run, 5u);
  EXPECT_EQ(name_of(summary.end.verdict), "INCOMPLETE");
}

TEST(SummaryTest, TextNamesRowsClassesFailuresAndTheVerdictLast) {
  const std::string text = harness::text_summary(concluded(mixed_run()), 2);
  EXPECT_THAT(text, HasSubstr("fp4cts 0.1.0 (cccccccccccc), level full, profile as declared"));
  EXPECT_THAT(text, HasSubstr("qmul4  cpu     not run: needs compute capability 10.0 or 10.3\n"));
  EXPECT_THAT(text, HasSubstr("       2 nibble_swap\n"));
  EXPECT_THAT(text, HasSubstr("  mismatch: nvfp4_gather_index_k/layout_page table cpu: out: 8192"));
  EXPECT_THAT(text, HasSubstr("    reproduce: fp4cts run --device cpu --path table"));
  EXPECT_THAT(text, HasSubstr("  2 more not listed\n"));
  EXPECT_THAT(text, testing::EndsWith("\nMISMATCH: " +
                                      harness::summarize(concluded(mixed_run())).sentence + '\n'));
}

TEST(SummaryTest, TextSaysFailuresOfOneCauseOnce) {
  ResultsFile results = passing_run();
  for (auto& each : results.cases) {
    if (each.path == "table") harness::fixture::make_mismatch(each);
  }
  const std::string text = harness::text_summary(concluded(results), 20);
  EXPECT_THAT(text,
              HasSubstr("  mismatch: nvfp4_gather_index_k/exhaustive_page table cpu: out: 8192"));
  EXPECT_THAT(text,
              HasSubstr("    and 5 more of nvfp4_gather_index_k table cpu mismatch nibble_swap: "
                        "nvfp4_gather_index_k/layout_page nvfp4_gather_index_k/reversed_table "
                        "nvfp4_gather_index_k/page_stride_9728 ...\n"));
  EXPECT_THAT(text, Not(HasSubstr("not listed")));
}

TEST(SummaryTest, JsonHasTheVerdictTheRowsAndEachFailure) {
  const auto json = harness::json_summary(concluded(mixed_run()));
  EXPECT_EQ(json.at("verdict"), "MISMATCH");
  EXPECT_EQ(json.at("exit_code"), 1);
  EXPECT_EQ(json.at("rows").size(), 2u);
  EXPECT_EQ(json.at("failures").size(), 4u);
  EXPECT_EQ(json.at("failures")[0].at("fault_class"), "nibble_swap");
  EXPECT_EQ(json.at("failures")[3].at("status"), "waived");
  EXPECT_EQ(json.at("coverage")[0].at("pairs_hit"), 4096);
  EXPECT_FALSE(json.contains("maps"));
}

TEST(MarkdownTest, FailuresOfOneCauseAreOneParagraph) {
  ResultsFile results = passing_run();
  for (auto& each : results.cases) {
    if (each.path == "table") harness::fixture::make_mismatch(each);
  }
  harness::fixture::make_error(record(results, prefix + "high_ids fp32 cpu"));
  harness::fixture::conclude_anew(results);
  const std::string text = harness::markdown_report(concluded(results), 20);
  EXPECT_THAT(text, testing::StartsWith("### fp4cts: MISMATCH\n\nOf 12 planned cases 6 gave wrong "
                                        "bytes, 1 ended in an error; 5 passed.\n"));
  EXPECT_THAT(text,
              HasSubstr("| nvfp4\\_gather\\_index\\_k | table | cpu | 6 | 0 | 6 | 0 | 0 | 0 |\n"));
  EXPECT_THAT(text,
              HasSubstr("#### mismatch, nibble\\_swap: 6 cases of nvfp4\\_gather\\_index\\_k table "
                        "cpu\n"));
  EXPECT_THAT(text, HasSubstr("#### error: 1 case of nvfp4\\_gather\\_index\\_k fp32 cpu\n"));
  std::size_t paragraphs = 0;
  for (std::size_t at = 0; (at = text.find("\n#### ", at)) != std::string::npos; ++at) ++paragraphs;
  EXPECT_EQ(paragraphs, 2u);
  EXPECT_THAT(harness::markdown_report(concluded(results), 1),
              HasSubstr("1 more kinds of failure are not listed."));
}

TEST(MarkdownTest, TextFromResultsIsNoMarkup) {
  ResultsFile results = passing_run();
  harness::fixture::make_error(results.cases[0]);
  results.cases[0].reason = "<script>|**bold**";
  results.cases[0].reproduce = "echo ```";
  const std::string text = harness::markdown_report(concluded(results), 20);
  EXPECT_THAT(text, HasSubstr("\\<script\\>\\|\\*\\*bold\\*\\*"));
  EXPECT_THAT(text, HasSubstr("````\necho ```\n````\n"));
}

TEST(JunitTest, CountsAgreeWithTheCasesOnEveryLevel) {
  const pugi::xml_document document = parsed(mixed_run());
  const auto sum = [&](const char* path) {
    int total = 0;
    for (const auto& node : document.select_nodes(path)) total += node.attribute().as_int();
    return total;
  };
  EXPECT_EQ(at(document, "/testsuites/@tests"), "13");
  EXPECT_EQ(document.select_nodes("/testsuites/testsuite").size(), 3u);
  EXPECT_EQ(sum("/testsuites/testsuite/@tests"), 13);
  EXPECT_EQ(document.select_nodes("//testcase").size(), 13u);
  EXPECT_EQ(sum("/testsuites/@failures"), 1);
  EXPECT_EQ(sum("/testsuites/testsuite/@failures"), 1);
  EXPECT_EQ(document.select_nodes("//testcase/failure").size(), 1u);
  EXPECT_EQ(sum("/testsuites/@errors"), 2);  // the crash, and the verdict itself
  EXPECT_EQ(sum("/testsuites/testsuite/@errors"), 2);
  EXPECT_EQ(document.select_nodes("//testcase/error").size(), 2u);
  EXPECT_EQ(sum("/testsuites/testsuite/@skipped"), 2);  // not run, and waived
  EXPECT_EQ(document.select_nodes("//testcase/skipped").size(), 2u);
}

TEST(JunitTest, HasNothingThatJenkinsRefuses) {
  EXPECT_EQ(harness::fixture::junit_fault(parsed(mixed_run()).document_element()), "");
  EXPECT_EQ(harness::fixture::junit_fault(parsed(passing_run()).document_element()), "");
}

TEST(JunitTest, ACharacterThatXmlDoesNotHaveIsReplaced) {
  ResultsFile results = mixed_run();
  record(results, prefix + "layout_page table cpu").reason = "\x01 \xef\xbf\xbf \xef\xbf\xbd";
  const pugi::xml_document document = parsed(results);
  EXPECT_EQ(at(document, "//failure/@message"), "? ? \xef\xbf\xbd");
}

TEST(JunitTest, AFailureHasItsClassItsBytesAndItsCommand) {
  const pugi::xml_document document = parsed(mixed_run());
  EXPECT_EQ(at(document, "//testcase[failure]/@name"), "nvfp4_gather_index_k/layout_page");
  EXPECT_EQ(at(document, "//testcase[failure]/@classname"), "nvfp4_gather_index_k.table.cpu");
  EXPECT_EQ(at(document, "//failure/@type"), "nibble_swap");
  EXPECT_THAT(at(document, "//failure/@message"), HasSubstr("out: 8192 of 16384"));
  const std::string text = document.select_node("//failure").node().text().get();
  EXPECT_THAT(text, HasSubstr("token 0, element 1: expected 38 (1), got 40 (2)"));
  EXPECT_THAT(text, HasSubstr("8192 wrong elements in all"));
  EXPECT_THAT(text, HasSubstr("out, guard after: 16 bytes changed, the first at byte 16384"));
  EXPECT_THAT(document.select_node("//testcase[failure]/system-out").node().text().get(),
              HasSubstr("reproduce: fp4cts run --device cpu"));
  EXPECT_THAT(at(document,
                 "//testcase[contains(@name,'high_ids')]/skipped[contains(@message,"
                 "'waived')]/@message"),
              HasSubstr("https://tracker.example/KV-12"));
}

TEST(JunitTest, PropertiesNameTheRun) {
  const pugi::xml_document document = parsed(mixed_run());
  EXPECT_EQ(at(document, "//property[@name='level']/@value"), "full");
  EXPECT_EQ(at(document, "//property[@name='device cpu']/@value"), "Processor, 2 cores");
  EXPECT_EQ(document.select_nodes("//property[@name='module_sha256']").size(), 2u);
}

// Of a build whose modules were partly never executed.
ResultsFile unproved_run() {
  ResultsFile results = passing_run();
  results.header.environment["modules_never_executed"] = {"qmul4_qmul4 (sm_100a sm_103a)"};
  results.header.environment["assembled_never_executed"] = "gfx1030 sm_100a";
  return results;
}

TEST(NeverExecutedTest, EveryReportSaysWhatWasOnlyAssembled) {
  const auto run = concluded(unproved_run());
  EXPECT_THAT(
      harness::text_summary(run, 20),
      HasSubstr("\nassembled, never executed: qmul4_qmul4 (sm_100a sm_103a); any module for "
                "gfx1030 sm_100a\n"));
  EXPECT_THAT(harness::markdown_report(run, 20),
              HasSubstr("Assembled, never executed:\n- qmul4\\_qmul4 \\(sm\\_100a sm\\_103a\\)\n"));
  const pugi::xml_document document = parsed(unproved_run());
  const auto said = document.select_nodes("//property[@name='assembled, never executed']/@value");
  ASSERT_EQ(said.size(), 2U);
  EXPECT_STREQ(said[0].attribute().value(), "qmul4_qmul4 (sm_100a sm_103a)");
  EXPECT_STREQ(said[1].attribute().value(), "any module for gfx1030 sm_100a");
}

TEST(NeverExecutedTest, ARunOfWhatIsProvedSaysNothing) {
  EXPECT_THAT(harness::text_summary(concluded(passing_run()), 20),
              Not(HasSubstr("never executed")));
}

TEST(JunitTest, AnIncompleteRunIsNeverGreen) {
  ResultsFile results = passing_run();
  results.cases.pop_back();
  const pugi::xml_document document = parsed(results);
  EXPECT_EQ(at(document, "/testsuites/@errors"), "1");
  EXPECT_EQ(at(document, "//testcase[error]/@name"), "verdict");
  EXPECT_THAT(at(document, "//testcase/error/@message"), HasSubstr("INCOMPLETE: Of 12 planned"));
  EXPECT_EQ(at(parsed(passing_run()), "/testsuites/@errors"), "0");
  EXPECT_EQ(at(parsed(passing_run()), "/testsuites/@failures"), "0");
}

TEST(JunitTest, TextThatIsNoXmlStaysText) {
  ResultsFile results = mixed_run();
  record(results, prefix + "layout_page table cpu").reason =
      "a < b & \"c\" ]]> \x01\x1b[31m \xc3\xa9";
  const pugi::xml_document document = parsed(results);
  EXPECT_EQ(at(document, "//failure/@message"), "a < b & \"c\" ]]> ??[31m \xc3\xa9");
}

// The data that the page reads, cut out of it as a browser would.
nlohmann::json data_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(open) + open.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(HtmlTest, ThePageHoldsEverythingAndAsksNobody) {
  const std::string page = harness::html_report(concluded(mixed_run()));
  EXPECT_THAT(page, testing::StartsWith("<!doctype html>"));
  for (const char* mark : {"@title@", "@style@", "@plain@", "@data@", "@script@"}) {
    EXPECT_THAT(page, Not(HasSubstr(mark)));
  }
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* link : {"src=", "@import", "url(", "fetch(", "XMLHttpRequest", "<link"}) {
    EXPECT_THAT(page, Not(HasSubstr(link))) << link;
  }
}

TEST(HtmlTest, DataHasTheFailuresAndEachPictureOnce) {
  const nlohmann::json data = data_of(harness::html_report(concluded(mixed_run())));
  ASSERT_EQ(data.at("failures").size(), 4u);
  EXPECT_EQ(data.at("maps").size(), 1u);  // both mismatches have the same picture
  EXPECT_EQ(data.at("failures")[0].at("map"), 0);
  EXPECT_EQ(data.at("failures")[1].at("map"), -1);
  EXPECT_EQ(data.at("failures")[3].at("map"), 0);
  EXPECT_EQ(data.at("maps")[0].at("rows")[5], "55555555555555555555555555555555");
  EXPECT_EQ(data.at("failures")[0].at("first").size(), 16u);
  EXPECT_EQ(data.at("failures")[0].at("mismatches"), 8192);
  EXPECT_EQ(data.at("coverage")[0].at("pairs").size(), 4096u);
  EXPECT_EQ(data.at("coverage")[0].at("places").size(), 16u);
}

TEST(HtmlTest, TextFromResultsCannotBecomeMarkup) {
  ResultsFile results = mixed_run();
  const std::string evil = "</script><script>alert(1)</script><!-- & @data@";
  record(results, prefix + "layout_page table cpu").reason = evil;
  results.header.devices[0].description = evil;
  const std::string page = harness::html_report(concluded(results));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_EQ(data_of(page).at("failures")[0].at("reason"), evil);
  EXPECT_THAT(page, HasSubstr("&lt;/script&gt;&lt;script&gt;alert(1)"));
}

TEST(HtmlTest, ThousandsOfFailuresMakeAPageOfAFewMegabytes) {
  ResultsFile results = passing_run();
  harness::fixture::make_mismatch(results.cases[0]);
  const harness::CaseRecord failure = results.cases[0];
  results.cases.clear();
  for (std::uint64_t i = 0; i < 5000; ++i) {
    results.cases.push_back(failure);
    results.cases.back().index = i;
    results.cases.back().case_id = prefix + "random_" + std::to_string(i);
  }
  const std::string page = harness::html_report(concluded(results));
  EXPECT_EQ(data_of(page).at("failures").size(), 5000u);
  EXPECT_LT(page.size(), 8u << 20);
}

}  // namespace
