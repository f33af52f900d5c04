// What follows from a results file, and what is refused because it does not add up.
#include "harness/results/verdict/conclusion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/files/sha256.hpp"
#include "harness/results/tests/results_fixture.hpp"
#include "harness/results/verdict/verdict.hpp"

namespace {

using harness::CaseRecord;
using harness::ConcludedRun;
using harness::Level;
using harness::ResultsFile;
using harness::RunVerdict;
using harness::fixture::conclude_anew;
using harness::fixture::knowledge;
using harness::fixture::passing_run;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

harness::Result<ConcludedRun> conclude(const ResultsFile& results) {
  return harness::conclude(results, "r.jsonl", knowledge());
}

// "CONFORMS on cpu", or why the file is refused.
std::string outcome(const ResultsFile& results) {
  const auto run = conclude(results);
  return run ? verdict_line(run->end) : run.error().message;
}

// As a forger would: the plan's counts and digest are those of the records that are left.
void adapt_counts(ResultsFile& results) {
  std::string plan;
  for (std::size_t i = 0; i < results.cases.size(); ++i) {
    results.cases[i].index = i;
    plan += results.cases[i].key() + ' ' + results.cases[i].case_sha256 + '\n';
  }
  results.header.plan_total = results.header.plan_planned = results.cases.size();
  results.header.plan_sha256 = harness::sha256_hex(plan);
  harness::EndRecord& end = *results.end;
  end.planned = end.executed = end.verified = results.cases.size();
  for (harness::ResultRow& row : end.rows) {
    row.planned = row.run = row.passed = static_cast<std::uint64_t>(
        std::count_if(results.cases.begin(), results.cases.end(),
                      [&](const CaseRecord& record) { return record.path == row.path; }));
  }
}

TEST(ConclusionTest, APassingRunConformsAndMayBeAStatement) {
  const auto run = conclude(passing_run());
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(verdict_line(run->end), "CONFORMS on cpu");
  EXPECT_TRUE(run->end.statement);
  EXPECT_TRUE(run->complete);
  EXPECT_EQ(run->end.planned, 12u);
  EXPECT_EQ(run->end.verified, 12u);
  EXPECT_EQ(run->end.finished, "2026-11-29T20:10:00Z");
}

TEST(ConclusionTest, AKilledRunIsIncomplete) {
  ResultsFile results = passing_run();
  results.end.reset();
  results.coverage.clear();
  results.cases.resize(7);
  EXPECT_EQ(outcome(results), "INCOMPLETE");
  results.cases.clear();
  results.not_run.clear();  // killed in the middle of them
  EXPECT_EQ(outcome(results), "INCOMPLETE");
}

TEST(ConclusionTest, ARecordLessIsRefusedWhereTheFileSaysThatItEnded) {
  ResultsFile results = passing_run();
  results.cases.pop_back();
  EXPECT_THAT(outcome(results), HasSubstr("the end record says CONFORMS, and what follows is "
                                          "INCOMPLETE: 1 of 12 cases did not run"));
}

TEST(ConclusionTest, OneCaseOfManyWithAdaptedCountsIsRefused) {
  ResultsFile results = passing_run();
  results.cases.resize(2);  // one case, both paths
  adapt_counts(results);
  EXPECT_THAT(outcome(results), HasSubstr("of its selection this build plans 12 of 12"));
}

TEST(ConclusionTest, ASmokeRunRelabelledFullIsRefused) {
  ResultsFile results = passing_run();
  std::erase_if(results.cases, [](const CaseRecord& record) { return record.index >= 4; });
  results.header.selection.level = Level::smoke;
  adapt_counts(results);
  for (auto& record : results.coverage) {
    record.judged = false;
    record.coverage = harness::Coverage{};
    for (const auto& each : passing_run().coverage) {
      if (each.path == record.path) record.coverage = each.coverage;
    }
  }
  results.header.selection.level = Level::full;
  for (auto& record : results.coverage) record.judged = true;
  EXPECT_THAT(outcome(results), HasSubstr("this build plans 12 of 12"));
}

TEST(ConclusionTest, AnImplementationThatIsTakenOutIsMissed) {
  ResultsFile results = passing_run();
  std::erase_if(results.cases, [](const CaseRecord& record) { return record.path == "table"; });
  std::erase_if(results.coverage, [](const auto& record) { return record.path == "table"; });
  std::erase_if(results.end->rows, [](const auto& row) { return row.path == "table"; });
  results.header.implementations.pop_back();
  adapt_counts(results);
  EXPECT_THAT(
      outcome(results),
      HasSubstr("nvfp4_gather_index_k table cpu is a kernel of this build that was left out "
                "unsaid"));
  results.not_run.push_back({"nvfp4_gather_index_k", "table", "cpu", "needs luck", false});
  results.header.not_run_rows = 2;
  EXPECT_THAT(outcome(results), HasSubstr("runs on every machine, and is said not to"));
}

TEST(ConclusionTest, AMismatchThatIsCalledAPassIsRefused) {
  ResultsFile results = passing_run();
  const std::string wrong(64, 'f');
  results.cases[2].output_sha256 = wrong;
  EXPECT_THAT(outcome(results),
              HasSubstr("and its output bytes are not the right ones: sha256 ff"));
  results.cases[3].output_sha256 = wrong;  // the other path of that case, so that they agree
  EXPECT_THAT(outcome(results), HasSubstr("its output bytes are not the right ones"));
  results = passing_run();
  results.cases[2].bytes_compared = 2;
  EXPECT_THAT(outcome(results), HasSubstr("compared 2 bytes of 2 calls, and has 32768 bytes"));
  results = passing_run();
  results.cases[2].calls = 0;
  EXPECT_THAT(outcome(results), HasSubstr("passed, and nothing of it was run"));
}

TEST(ConclusionTest, PassingRecordsOfOneCaseHaveOneDigestEvenWhereBytesAreNotComputed) {
  ResultsFile results = passing_run();
  results.cases[2].output_sha256[0] ^= 1;
  harness::ConcludeOptions options;
  options.bytes = false;
  const auto run = harness::conclude(results, "r.jsonl", knowledge(), options);
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr("passed with different output bytes"));
}

TEST(ConclusionTest, WhatNeedsMoreMemoryThanThereIsIsSaidToBeUnchecked) {
  harness::SuiteKnowledge known = knowledge();
  known.memory_bytes = 16384;  // a case of the fixture is as large, and its bytes come on top
  const auto run = harness::conclude(passing_run(), "r.jsonl", known);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_THAT(run->notes,
              ElementsAre(HasSubstr("the bytes of 6 cases were not computed again, they need more "
                                    "memory than this machine has: nvfp4_gather_index_k/")));
}

TEST(ConclusionTest, CoverageThatIsTakenOutEmptiedOrNotJudgedIsRefused) {
  ResultsFile results = passing_run();
  results.coverage.pop_back();
  EXPECT_THAT(outcome(results), HasSubstr("table cpu has 0 coverage records, and must have one"));
  results = passing_run();
  results.coverage[0].coverage = {};
  EXPECT_THAT(outcome(results), HasSubstr("by its counts it lacks [pairs, edge/tie]"));
  results = passing_run();
  results.coverage[0].coverage.add("edge/tie");
  EXPECT_THAT(outcome(results), HasSubstr("is not that of its cases, which all passed"));
  results = passing_run();
  results.coverage[0].judged = false;
  EXPECT_THAT(outcome(results), HasSubstr("is not judged, and by the selection it is judged"));
  results = passing_run();
  results.coverage.push_back(results.coverage[0]);
  EXPECT_THAT(outcome(results), HasSubstr("has 2 coverage records"));
  results = passing_run();
  results.coverage[0].missing_bins = {"edge/nan"};
  EXPECT_THAT(outcome(results), HasSubstr("says that it lacks [edge/nan]"));
}

TEST(ConclusionTest, ARowThatWasNotRunCannotBeTakenOut) {
  ResultsFile results = passing_run();
  results.not_run.clear();
  EXPECT_THAT(outcome(results), HasSubstr("the header announces 1 rows that were not run"));
}

TEST(ConclusionTest, TheEndRecordSaysWhatFollows) {
  for (const auto& change : std::vector<std::function<void(harness::EndRecord&)>>{
           [](auto& end) { end.verdict = RunVerdict::waived; },
           [](auto& end) { end.exit_code = 4; },
           [](auto& end) { end.statement = false; },
           [](auto& end) { end.scope = {"cuda:0 (NVIDIA H200, sm_90)"}; },
           [](auto& end) { end.verified = 11; },
           [](auto& end) { end.rows[0].bytes_compared += 1; },
           [](auto& end) { end.rows.pop_back(); },
       }) {
    ResultsFile results = passing_run();
    change(*results.end);
    EXPECT_THAT(outcome(results), HasSubstr("the end record says"));
  }
}

TEST(ConclusionTest, StaleWaiversAreBelievedWithTheirExitCodeAndOverWholeRecordsAlone) {
  ResultsFile results = passing_run();
  results.end->verdict = RunVerdict::stale_waivers;
  EXPECT_THAT(outcome(results), HasSubstr("the end record says STALE WAIVERS"));  // exit code 0
  results.end->exit_code = 1;
  EXPECT_THAT(outcome(results), HasSubstr("the end record says STALE WAIVERS"));  // a statement
  results.end->statement = false;
  EXPECT_EQ(outcome(results), "STALE WAIVERS");
  harness::fixture::make_not_run(results.cases.front());
  harness::fixture::conclude_anew(results);
  ASSERT_EQ(results.end->verdict, RunVerdict::incomplete);
  results.end->verdict = RunVerdict::stale_waivers;
  results.end->exit_code = 1;
  EXPECT_THAT(outcome(results), HasSubstr("what follows is INCOMPLETE"));
}

TEST(ConclusionTest, ARecordGivenTwiceOrMovedIsRefused) {
  ResultsFile results = passing_run();
  results.cases.back() = results.cases.front();
  EXPECT_THAT(outcome(results), HasSubstr("fp32 cpu' is recorded twice"));
  results = passing_run();
  std::swap(results.cases[0].index, results.cases[1].index);
  EXPECT_THAT(outcome(results), HasSubstr("and was planned as case 0"));
  results = passing_run();
  results.cases[0].case_id += "_more";
  EXPECT_THAT(outcome(results), HasSubstr("is not in the plan"));
  results = passing_run();
  results.cases[0].case_sha256[0] ^= 1;
  EXPECT_THAT(outcome(results), HasSubstr("was planned as case 0"));
}

TEST(ConclusionTest, WrongBytesStayAMismatchInAnIncompleteRun) {
  ResultsFile results = passing_run();
  harness::fixture::make_mismatch(results.cases.front());
  harness::fixture::make_not_run(results.cases.back());
  conclude_anew(results);
  const auto run = conclude(results);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(verdict_line(run->end), "MISMATCH");
  EXPECT_EQ(run->end.exit_code, 1);
  EXPECT_FALSE(run->complete);
}

TEST(ConclusionTest, AProfileIsWhatItsDigestAndItsNameSay) {
  ResultsFile results = passing_run();
  results.header.profiles[0].contents["nan"] = 0xff;
  EXPECT_THAT(outcome(results), HasSubstr("the profile ocp has sha256"));
  results.header.profiles[0].sha256 =
      harness::profile_sha256(nlohmann::json(results.header.profiles[0].contents));
  EXPECT_THAT(outcome(results), HasSubstr("is not the one that is shipped by that name"));
  results.header.profiles.clear();
  EXPECT_THAT(outcome(results),
              HasSubstr("what nvfp4_gather_index_k fp32 cpu is judged by is not in the header"));
}

TEST(ConclusionTest, WhatAFileSaysOfItselfHasItsForm) {
  const auto changed = [](const auto& change) {
    ResultsFile results = passing_run();
    change(results);
    return outcome(results);
  };
  EXPECT_THAT(changed([](auto& r) { r.header.suite_version = "0.1.0 (CONFORMS on all)"; }),
              HasSubstr("the suite's version: expected one like 0.1.0"));
  EXPECT_THAT(changed([](auto& r) { r.header.suite_version = "9.9.9"; }),
              HasSubstr("the suite's version at this commit: expected 0.1.0, got '9.9.9'"));
  EXPECT_THAT(changed([](auto& r) { r.header.suite_commit = std::string(40, 'z'); }),
              HasSubstr("the suite's commit: expected its digest"));
  EXPECT_THAT(changed([](auto& r) { r.header.started = "yesterday"; }),
              HasSubstr("when it started: expected a time in UTC, got 'yesterday'"));
  EXPECT_THAT(changed([](auto& r) { r.end->finished = "never"; }),
              HasSubstr("when it finished: expected a time in UTC"));
  EXPECT_THAT(changed([](auto& r) { r.header.implementations[0].module_sha256 = "none"; }),
              HasSubstr("expected a sha256, got 'none'"));
}

TEST(ConclusionTest, BytesAreRightByTheProfileOfTheFileOnly) {
  ResultsFile results = passing_run();
  results.header.selection.profile = "./mine.json";
  harness::JudgedProfile& profile = results.header.profiles[0];
  profile.name = "./mine.json";
  profile.contents["nan"] = 0xff;
  profile.sha256 = harness::profile_sha256(nlohmann::json(profile.contents));
  EXPECT_THAT(outcome(results), HasSubstr("its output bytes are not the right ones"));
}

TEST(ConclusionTest, ResultsOfAnotherBuildAreOnlyTakenWhereThatIsAskedFor) {
  ResultsFile results = passing_run();
  results.header.suite_commit = std::string(40, 'd');
  results.header.plan_sha256 = std::string(64, '0');
  EXPECT_THAT(outcome(results), HasSubstr("it was made by the suite's commit dddd"));
  harness::ConcludeOptions options;
  options.other_builds = true;
  EXPECT_THAT(harness::conclude(results, "r.jsonl", knowledge(), options).error().message,
              HasSubstr("the recorded cases are not those of the header's plan"));
  results.header.plan_sha256 = passing_run().header.plan_sha256;
  const auto run = harness::conclude(results, "r.jsonl", knowledge(), options);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_THAT(run->notes, ElementsAre(HasSubstr("was made by the suite's commit dddd")));
}

TEST(ConclusionTest, AMissedRequestIsFoundWithoutTheWordRequested) {
  ResultsFile results = passing_run();
  results.header.selection.paths = {"fp32", "table", "qmul4"};
  conclude_anew(results);
  EXPECT_EQ(results.end->verdict, RunVerdict::incomplete);
  EXPECT_EQ(results.end->exit_code, 4);
  EXPECT_THAT(results.end->reasons,
              Contains("path qmul4 was asked for, and ran nowhere: nvfp4_gather_index_k qmul4 on "
                       "cpu: needs compute capability 10.0 or 10.3"));
  EXPECT_EQ(outcome(results), "INCOMPLETE");
}

}  // namespace
