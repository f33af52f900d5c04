// Everything that was named must have run: the run is INCOMPLETE without it, and says which it was.
#include "harness/results/verdict/requests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/files/sha256.hpp"
#include "harness/model/software_instruction.hpp"
#include "harness/results/tests/results_fixture.hpp"
#include "harness/results/verdict/verdict.hpp"

namespace harness {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RequestsTest : public ::testing::Test {
 protected:
  RequestsTest() {
    add("qmul4", "table", "cpu");
    header_.selection.devices = {"cpu"};
    header_.devices.push_back({"cpu", "Processor", "x86-64", 0, {}});
  }

  void add(const std::string& operation, const std::string& path, const std::string& device) {
    ImplementationInfo info;
    info.operation = operation;
    info.path = path;
    info.device = device;
    info.origin = "built-in";
    header_.implementations.push_back(info);
  }

  std::vector<std::string> unmet() const {
    std::vector<std::string> sentences;
    for (const Request& request : unmet_requests(header_, idle_filters_, not_run_)) {
      sentences.push_back(request.sentence);
    }
    return sentences;
  }

  RunHeader header_;
  std::vector<std::string> idle_filters_;
  std::vector<NotRunRecord> not_run_;
};

TEST_F(RequestsTest, WhatRanIsMet) {
  header_.selection.operations = {"qmul4"};
  header_.selection.paths = {"tab*", "table"};
  header_.selection.filters = {"qmul4/*"};
  EXPECT_THAT(unmet(), IsEmpty());
}

TEST_F(RequestsTest, AnOperationBesideOneThatRanIsMissed) {
  header_.selection.operations = {"qmul4", "encode_e4m3"};
  header_.selection.paths = {"table"};
  EXPECT_THAT(unmet(), ElementsAre("operation encode_e4m3 was asked for, and ran nowhere"));
}

TEST_F(RequestsTest, APathBesideOneThatRanIsMissedWithItsReason) {
  header_.selection.paths = {"table", "cvt"};
  not_run_ = {{"encode_e4m3", "cvt", "cpu", "has no host form", false}};
  EXPECT_THAT(unmet(), ElementsAre("path cvt was asked for, and ran nowhere: encode_e4m3 cvt on "
                                   "cpu: has no host form"));
}

TEST_F(RequestsTest, EachPatternCounts) {
  header_.selection.operations = {"q*", "mx*"};
  header_.selection.paths = {"x*", "t*"};
  idle_filters_ = {"typo"};
  EXPECT_THAT(unmet(), ElementsAre("operation mx* was asked for, and ran nowhere",
                                   "path x* was asked for, and ran nowhere",
                                   "the filter 'typo' was given, and selects no case"));
}

TEST_F(RequestsTest, ADeviceOnWhichNothingRanIsMissed) {
  header_.selection.devices = {"cpu", "cuda:0"};
  header_.devices.push_back({"cuda:0", "NVIDIA T4", "sm_75", 0, {}});
  not_run_ = {{"qmul4", "fp32", "cuda:0", "needs compute capability 8.0", false},
              {"qmul4", "table", "cuda:0", "needs compute capability 8.0", false},
              {"qmul4", "fp16", "cuda:0", "needs compute capability 8.0", false}};
  ASSERT_EQ(unmet().size(), 1u);
  EXPECT_THAT(unmet()[0], HasSubstr("device cuda:0 was asked for, and ran nowhere: qmul4 fp32 on "
                                    "cuda:0: needs compute capability 8.0"));
  EXPECT_THAT(unmet()[0], HasSubstr("; and 1 more"));
  header_.selection.devices = {"all"};
  EXPECT_EQ(unmet().size(), 1u);
  header_.selection.devices = {"cpu"};
  EXPECT_THAT(unmet(), IsEmpty());
}

TEST_F(RequestsTest, AKindIsEachOfItsGpus) {
  header_.selection.devices = {"cuda"};
  header_.devices = {{"cuda:0", "NVIDIA H200", "sm_90", 0, {}},
                     {"cuda:1", "NVIDIA H200", "sm_90", 0, {}}};
  header_.implementations[0].device = "cuda:0";
  ASSERT_EQ(unmet().size(), 1u);
  EXPECT_THAT(unmet()[0], HasSubstr("device cuda:1 was asked for, and ran nowhere"));
  header_.implementations.push_back(header_.implementations[0]);
  header_.implementations.back().device = "cuda:1";
  EXPECT_THAT(unmet(), IsEmpty());
}

TEST_F(RequestsTest, AKindOfWhichNoneIsHereIsMissedWithItsReason) {
  header_.selection.devices = {"hip"};
  not_run_ = {{"", "", "hip", "libamdhip64.so.7 was not found", true}};
  ASSERT_EQ(unmet().size(), 1u);
  EXPECT_THAT(unmet()[0], HasSubstr("device hip was asked for, and ran nowhere: hip: "
                                    "libamdhip64.so.7 was not found"));
}

TEST_F(RequestsTest, AGpuWithoutARuntimeIsMissedUnlessDevicesAreNamed) {
  header_.selection.devices = {"all"};
  header_.idle_gpus = {{"cuda", "NVIDIA 10de:2335 at PCI 0000:3b:00.0"}};
  not_run_ = {{"", "", "cuda", "libcuda.so.1 was not found", false}};
  ASSERT_EQ(unmet().size(), 1u);
  EXPECT_THAT(unmet()[0], HasSubstr("NVIDIA 10de:2335 at PCI 0000:3b:00.0"));
  EXPECT_THAT(unmet()[0], HasSubstr("libcuda.so.1 was not found"));
  EXPECT_THAT(unmet()[0], HasSubstr("--device cpu leaves it out"));
  header_.selection.devices = {"cpu"};
  EXPECT_THAT(unmet(), IsEmpty());
}

TEST_F(RequestsTest, EachImplementationUnderTestIsMissed) {
  header_.selection.libraries = {"./a.so", "./b.so"};
  header_.implementations[0].origin = "./a.so";
  not_run_ = {{"", "./b.so", "", "could not be opened", true}};
  EXPECT_THAT(unmet(), ElementsAre("implementation ./b.so was asked for, and ran nowhere: ./b.so: "
                                   "could not be opened"));
}

TEST(AnswersFromOutsideTest, AreJudgedByThemselvesAndNeverAStatement) {
  ResultsFile results = fixture::passing_run();
  results.header.selection.devices = {answers_from_outside};
  results.header.devices.clear();
  results.header.implementations.clear();
  results.not_run.clear();
  results.coverage.clear();
  results.header.not_run_rows = 0;
  PlannedRun plan;
  std::string lines;
  for (CaseRecord& record : results.cases) {
    record.device = answers_from_outside;
    record.case_sha256 = sha256_hex(std::string_view("{}"));
    record.asked = {record.operation, "{}", 0, results.header.profiles.front().sha256};
    record.output_sha256 = sha256_hex(std::string_view("right"));
    record.bytes_compared = 5;
    record.calls = 1;
    plan.rows.push_back({record.index, record.case_id, record.case_sha256, record.operation,
                         record.path, record.device});
    lines += record.key() + ' ' + record.case_sha256 + '\n';
  }
  results.header.plan_sha256 = sha256_hex(lines);
  VerdictBook book(results.header, plan, {});
  for (const CaseRecord& record : results.cases) book.add(record);
  const EndRecord end = book.conclude(false);
  EXPECT_EQ(verdict_line(end), "CONFORMS on outside (answers in files)");
  EXPECT_FALSE(end.statement);
  results.end = end;
  results.end->finished = "2026-11-29T20:10:00Z";
  SuiteKnowledge knowledge = fixture::knowledge();
  knowledge.golden_outputs = [](const AskedProblem&, const oracle::Profile&) {
    return Result<Outputs>(Outputs{{'r', 'i', 'g', 'h', 't'}});
  };
  const auto run = conclude(results, "r.jsonl", knowledge);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(verdict_line(run->end), "CONFORMS on outside (answers in files)");
  // Bytes that are not those of the problem that was asked.
  ResultsFile wrong = results;
  wrong.cases[0].output_sha256 = sha256_hex(std::string_view("wrong"));
  EXPECT_THAT(conclude(wrong, "r.jsonl", knowledge).error().message,
              HasSubstr("its output bytes are not the right ones"));
  // Nobody knows what was asked: that is no green.
  ResultsFile unknown = results;
  unknown.cases[0].asked.reset();
  const auto incomplete = conclude(unknown, "r.jsonl", knowledge);
  ASSERT_TRUE(incomplete) << incomplete.error().message;
  EXPECT_EQ(incomplete->end.verdict, RunVerdict::incomplete);
  // A run on a device cannot pass for one, to have its plan forgotten.
  results.cases[0].device = "cpu";
  EXPECT_FALSE(conclude(results, "r.jsonl", fixture::knowledge()));
}

TEST(VerdictScopeTest, NamesEveryDeviceThatSomethingRanOn) {
  ResultsFile results = fixture::passing_run();
  results.header.devices.push_back(
      {"cuda:0", "NVIDIA H200, compute capability 9.0, 139 GiB", "sm_90", 0, {}});
  fixture::conclude_anew(results);
  EXPECT_THAT(results.end->scope, ElementsAre("cpu"));
  results.header.devices[0] = {"cuda:0", "NVIDIA H200, compute capability 9.0", "sm_90", 0, {}};
  results.header.devices.pop_back();
  for (CaseRecord& record : results.cases) record.device = "cuda:0";
  for (ImplementationInfo& info : results.header.implementations) info.device = "cuda:0";
  results.header.selection.devices = {"cuda:0"};
  fixture::conclude_anew(results);
  EXPECT_EQ(verdict_line(*results.end), "CONFORMS on cuda:0 (NVIDIA H200, sm_90)");
  for (ImplementationInfo& info : results.header.implementations) {
    info.execution = Machinery::simulated;
  }
  fixture::conclude_anew(results);
  EXPECT_EQ(verdict_line(*results.end), "CONFORMS on cuda:0 (simulated, NVIDIA H200, sm_90)");
  EXPECT_FALSE(results.end->statement);
  EXPECT_THAT(results.end->reasons, ElementsAre(HasSubstr("says nothing about a processor")));
}

TEST(VerdictScopeTest, AnInstructionInSoftwareIsNamedAndMakesNoStatementAlone) {
  ResultsFile results = fixture::passing_run();
  results.header.implementations[1].toolkit += in_software;
  fixture::conclude_anew(results);
  const std::string path = results.header.implementations[1].path;
  EXPECT_EQ(verdict_line(*results.end),
            "CONFORMS on cpu (" + path + " with its instruction in software)");
  EXPECT_TRUE(results.end->statement);
  for (ImplementationInfo& info : results.header.implementations) {
    info.toolkit = "g++ 12.2.0" + std::string(in_software);
  }
  fixture::conclude_anew(results);
  EXPECT_FALSE(results.end->statement);
  EXPECT_THAT(results.end->reasons, ElementsAre(HasSubstr("every path was software")));
}

}  // namespace
}  // namespace harness
