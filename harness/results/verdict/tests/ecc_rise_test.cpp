#include "harness/results/verdict/ecc_rise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/results/tests/results_fixture.hpp"
#include "harness/results/verdict/conclusion.hpp"
#include "harness/results/verdict/verdict.hpp"

namespace harness {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

BoardRecord board(const std::string& device, const Json& before, const Json& after) {
  return {device, {{"device", device}, {"ecc", before}}, {{"device", device}, {"ecc", after}}};
}

BoardRecord counted(const std::string& device, std::uint64_t corrected, std::uint64_t uncorrected) {
  return board(device, {{"corrected", 2U}, {"uncorrected", 0U}},
               {{"corrected", 2U + corrected}, {"uncorrected", uncorrected}});
}

std::vector<std::string> texts(const std::vector<BoardRecord>& boards) {
  std::vector<std::string> texts;
  for (const EccRise& rise : ecc_rises(boards)) texts.push_back(rise.device + ": " + rise.text());
  return texts;
}

TEST(EccRiseTest, IsWhatACounterRoseBy) {
  EXPECT_THAT(texts({counted("cuda:0", 3, 0), counted("cuda:1", 0, 0), counted("cuda:2", 0, 1)}),
              ElementsAre("cuda:0: 3 corrected ECC errors during the run",
                          "cuda:2: 1 uncorrected ECC error during the run"));
}

TEST(EccRiseTest, WhatWasNotReadOrBeganAnewDidNotRise) {
  EXPECT_THAT(texts({board("cuda:0", {{"corrected", "not available: why"}}, {{"corrected", 9U}}),
                     board("cuda:1", {{"corrected", 9U}}, {{"corrected", 1U}}),
                     {"cuda:2", {{"absent", "why"}}, {{"absent", "why"}}}}),
              ElementsAre());
}

TEST(EccRiseTest, BoardsOfOneNameCountTogether) {
  EXPECT_THAT(texts({counted("cuda:0", 3, 0), counted("cuda:0", 4, 0)}),
              ElementsAre("cuda:0: 7 corrected ECC errors during the run"));
}

// A run whose device was that board.
ResultsFile run_on(const BoardRecord& record) {
  ResultsFile results = fixture::passing_run();
  results.boards = {record};
  fixture::conclude_anew(results);
  return results;
}

TEST(EccRiseTest, ACorrectedErrorStandsInTheVerdict) {
  const ResultsFile results = run_on(counted("cpu", 2, 0));
  EXPECT_EQ(verdict_line(*results.end), "CONFORMS on cpu (2 corrected ECC errors during the run)");
  EXPECT_TRUE(results.end->statement);
}

TEST(EccRiseTest, AnErrorThatWasNotCorrectedAllowsNoStatement) {
  const ResultsFile results = run_on(counted("cpu", 0, 1));
  EXPECT_EQ(verdict_line(*results.end), "CONFORMS on cpu (1 uncorrected ECC error during the run)");
  EXPECT_FALSE(results.end->statement);
  EXPECT_THAT(results.end->reasons,
              Contains("cpu had 1 uncorrected ECC error during the run: no conformance statement"));
}

TEST(NamedWorkerTest, WhatAWorkerThatAVariableNamedDidIsNeverStated) {
  ResultsFile results = fixture::passing_run();
  results.header.environment["worker_named_by"] = "FP4CTS_WORKER=./mine";
  fixture::conclude_anew(results);
  EXPECT_FALSE(results.end->statement);
  EXPECT_THAT(results.end->reasons, Contains(HasSubstr("named by FP4CTS_WORKER")));
}

TEST(EccRiseTest, AFileThatHidesARiseDoesNotAddUp) {
  ResultsFile results = run_on(counted("cpu", 2, 0));
  results.boards.clear();
  const auto refused = conclude(results, "r.jsonl", fixture::knowledge());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("the end record says"));
  results.header.environment["boards"] = {{{"device", "cpu"}}};
  fixture::conclude_anew(results);
  const auto without = conclude(results, "r.jsonl", fixture::knowledge());
  ASSERT_FALSE(without);
  EXPECT_THAT(without.error().message, HasSubstr("has no record of how it was after the run"));
}

}  // namespace
}  // namespace harness
