#include "harness/results/verdict/conclusion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/results/tests/results_fixture.hpp"

namespace {

using harness::conclude;
using harness::name_of;
using harness::ResultsFile;
using harness::fixture::passing_run;

TEST(ConclusionTest, APassingRunConformsAndMayBeAStatement) {
  const harness::EndRecord end = conclude(passing_run(), {});
  EXPECT_EQ(name_of(end.verdict), "CONFORMS");
  EXPECT_TRUE(end.statement);
  EXPECT_EQ(end.planned, 12u);
  EXPECT_EQ(end.verified, 12u);
  EXPECT_EQ(end.finished, "2026-11-29T20:10:00Z");
}

TEST(ConclusionTest, ARecordLessIsIncompleteWhateverTheEndRecordSays) {
  ResultsFile results = passing_run();
  results.cases.pop_back();
  ASSERT_EQ(name_of(results.end->verdict), "CONFORMS");
  const harness::EndRecord end = conclude(results, {});
  EXPECT_EQ(name_of(end.verdict), "INCOMPLETE");
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_FALSE(end.statement);
  EXPECT_THAT(end.reasons, testing::Contains("11 of 12 planned cases have a record"));
}

TEST(ConclusionTest, AKilledRunIsIncomplete) {
  ResultsFile results = passing_run();
  results.end.reset();
  EXPECT_EQ(conclude(results, {}).exit_code, 4);
}

TEST(ConclusionTest, ARecordGivenTwiceIsIncomplete) {
  ResultsFile results = passing_run();
  results.cases.back() = results.cases.front();
  EXPECT_EQ(conclude(results, {}).exit_code, 4);
}

TEST(ConclusionTest, WrongBytesStayAMismatchInAnIncompleteRun) {
  ResultsFile results = passing_run();
  harness::fixture::make_mismatch(results.cases.front());
  results.cases.pop_back();
  const harness::EndRecord end = conclude(results, {});
  EXPECT_EQ(name_of(end.verdict), "MISMATCH");
  EXPECT_EQ(end.exit_code, 1);
}

}  // namespace
