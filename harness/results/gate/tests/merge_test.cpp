#include "harness/results/gate/merge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/results/tests/results_fixture.hpp"
#include "harness/results/verdict/conclusion.hpp"

namespace {

using harness::CaseRecord;
using harness::merge_results;
using harness::Merged;
using harness::NamedResults;
using harness::ResultsFile;
using harness::fixture::knowledge;
using harness::fixture::shards;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string error_of(const std::vector<NamedResults>& parts) {
  const auto merged = merge_results(parts, knowledge());
  return merged ? "merged" : merged.error().message;
}

std::vector<std::string> missing_of(const std::vector<NamedResults>& parts) {
  const auto merged = merge_results(parts, knowledge());
  return merged ? merged->missing : std::vector{merged.error().message};
}

TEST(MergeTest, FourShardsMergedEqualOneRun) {
  std::vector<NamedResults> parts = shards(4);
  std::swap(parts[0], parts[3]);  // the order of the files does not matter
  const auto merged = merge_results(parts, knowledge());
  ASSERT_TRUE(merged.has_value()) << merged.error().message;
  EXPECT_THAT(merged->missing, IsEmpty());
  ResultsFile joined = merged->results;
  ResultsFile single = harness::fixture::passing_run();
  joined.header.environment = single.header.environment;
  EXPECT_EQ(harness::fixture::text_of(joined), harness::fixture::text_of(single));
}

TEST(MergeTest, MergingShardsRecordsTheirEnvironments) {
  const Merged merged = merge_results(shards(4), knowledge()).value();
  const auto& parts = merged.results.header.environment.at("shards");
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[2].at("environment").at("host"), "node2");
  EXPECT_EQ(parts[2].at("index"), 2);
  EXPECT_EQ(merged.results.header.started, "2026-11-29T20:09:10Z");
}

TEST(MergeTest, TheBoardsOfOneShardAreNotCalledThoseOfTheRun) {
  std::vector<NamedResults> parts = shards(2);
  for (NamedResults& part : parts) {
    const nlohmann::ordered_json board{{"device", "cuda:0"}, {"pci", part.name}};
    part.results.header.environment["boards"] = {board};
    part.results.boards = {{"cuda:0", board, board}};
    harness::fixture::conclude_anew(part.results);
  }
  const auto merged = merge_results(parts, knowledge());
  ASSERT_TRUE(merged) << merged.error().message;
  const auto& environment = merged->results.header.environment;
  EXPECT_FALSE(environment.contains("boards"));
  EXPECT_EQ(environment.at("shards")[1].at("environment").at("boards")[0].at("pci"), "1.jsonl");
  EXPECT_EQ(merged->results.boards.size(), 2u);
  // Each of them is still held to its record.
  ResultsFile one_less = merged->results;
  one_less.boards.pop_back();
  EXPECT_THAT(conclude(one_less, "merged", knowledge()).error().message,
              HasSubstr("a board of the header has no record"));
}

TEST(MergeTest, AGpuThatOneShardCouldNotUseIsNotLost) {
  std::vector<NamedResults> parts = shards(2);
  for (NamedResults& part : parts) {
    part.results.header.selection.devices = {"all"};
    if (part.name == "1.jsonl") {
      part.results.header.idle_gpus = {{"cuda", "NVIDIA 10de:2335 at PCI 0000:3b:00.0"}};
    }
    harness::fixture::conclude_anew(part.results);
  }
  const auto merged = merge_results(parts, knowledge());
  ASSERT_TRUE(merged) << merged.error().message;
  ASSERT_EQ(merged->results.header.idle_gpus.size(), 1u);
  EXPECT_EQ(merged->results.end->verdict, harness::RunVerdict::incomplete);
}

TEST(MergeTest, OneRecordLessIsIncompleteAndNamed) {
  for (std::size_t shard = 0; shard < 4; ++shard) {
    std::vector<NamedResults> parts = shards(4);
    const std::string name = parts[shard].name;
    parts[shard].results.cases.pop_back();
    const auto missing = missing_of(parts);
    ASSERT_EQ(missing.size(), 2u);
    EXPECT_EQ(missing[0], name + ": 2 of 3 planned cases have a record");
    EXPECT_THAT(missing[1], HasSubstr("planned case " + std::to_string(8 + shard) +
                                      " of 12 has no record: it follows case "));
  }
}

TEST(MergeTest, MissingAndUnfinishedShardsAreIncomplete) {
  std::vector<NamedResults> parts = shards(4);
  parts.erase(parts.begin() + 1);
  EXPECT_THAT(missing_of(parts)[0], "shards 1 to 1 of 4 are missing");
  parts = shards(4);
  parts[3].results.end.reset();
  EXPECT_THAT(missing_of(parts),
              ElementsAre("3.jsonl: shard 3/4 did not come to its end: finish it with --resume"));
}

TEST(MergeTest, NothingIsCountedTwice) {
  std::vector<NamedResults> parts = shards(4);
  parts.push_back(parts[2]);
  parts.back().name = "copy.jsonl";
  EXPECT_EQ(error_of(parts), "merge: 2.jsonl and copy.jsonl are both shard 2/4");
  parts = shards(4);
  parts[1].results.cases.push_back(parts[0].results.cases[0]);
  EXPECT_THAT(error_of(parts), HasSubstr("planned case 0 is recorded twice"));
  parts = shards(4);
  CaseRecord renamed = parts[0].results.cases[0];
  renamed.index = 1;
  parts[1].results.cases[0] = renamed;
  EXPECT_THAT(error_of(parts), HasSubstr("is recorded twice: in 0.jsonl and in 1.jsonl"));
  EXPECT_EQ(error_of({}), "merge: no results were given");
}

TEST(MergeTest, RecordsThatThePlanDoesNotHaveAreSeenByItsDigest) {
  std::vector<NamedResults> parts = shards(4);
  parts[1].results.cases[0].case_id = "nvfp4_gather_index_k/another";
  EXPECT_THAT(error_of(parts), HasSubstr("the recorded cases are not those of the plan"));
  parts = shards(4);
  parts[1].results.cases[0].case_sha256[0] ^= 1;
  EXPECT_THAT(error_of(parts), HasSubstr("the recorded cases are not those of the plan"));
  parts = shards(4);
  parts[1].results.cases[0].index = 12;
  EXPECT_THAT(error_of(parts), HasSubstr("is case 12 of a plan of 12"));
}

TEST(MergeTest, ShardsOfDifferentRunsDoNotMerge) {
  const auto difference = [](const auto& change) {
    std::vector<NamedResults> parts = shards(2);
    change(parts[1].results.header);
    return error_of(parts);
  };
  EXPECT_EQ(difference([](auto& header) { header.suite_version = "0.2.0"; }),
            "merge: 0.jsonl and 1.jsonl differ in suite version: 0.1.0 and 0.2.0");
  EXPECT_THAT(difference([](auto& header) { header.suite_commit[0] = 'd'; }),
              HasSubstr("differ in suite commit"));
  EXPECT_THAT(difference([](auto& header) { header.selection.seed = 2; }),
              HasSubstr("differ in seed: 1 and 2"));
  EXPECT_THAT(difference([](auto& header) { header.selection.level = harness::Level::smoke; }),
              HasSubstr("differ in level"));
  EXPECT_THAT(difference([](auto& header) { header.selection.profile = "fnuz"; }),
              HasSubstr("differ in profile"));
  EXPECT_THAT(difference([](auto& header) { header.selection.libraries = {"a.so"}; }),
              HasSubstr("differ in libraries: [] and [\"a.so\"]"));
  EXPECT_THAT(difference([](auto& header) { header.vectors_sha256[0] = 'f'; }),
              HasSubstr("differ in vector manifest"));
  EXPECT_THAT(difference([](auto& header) { header.plan_sha256[0] = 'x'; }),
              HasSubstr("differ in plan"));
  EXPECT_THAT(difference([](auto& header) { header.devices[0].description = "Another"; }),
              HasSubstr("differ in device cpu"));
  EXPECT_THAT(difference([](auto& header) { header.devices.clear(); }),
              HasSubstr("differ in device cpu: Processor, 2 cores (x86-64) and none"));
  EXPECT_THAT(difference([](auto& header) { header.implementations[0].module_sha256 = ""; }),
              HasSubstr("differ in implementation nvfp4_gather_index_k fp32 cpu"));
  EXPECT_THAT(difference([](auto& header) { header.selection.shard.count = 3; }),
              HasSubstr("differ in number of shards"));
  EXPECT_THAT(difference([](auto& header) {
                header.devices[0].facts["library_named_by"] = "FP4CTS_CUDA_LIBRARY=./libcuda.so";
              }),
              HasSubstr("differ in what named the runtime of cpu: null and "
                        "\"FP4CTS_CUDA_LIBRARY=./libcuda.so\""));
  EXPECT_THAT(difference([](auto& header) {
                header.environment["worker_named_by"] = "FP4CTS_WORKER=./mine";
              }),
              HasSubstr("differ in what named the worker"));
  EXPECT_EQ(difference([](auto& header) {
              header.devices[0].memory_bytes = 1;
              header.environment["host"] = "elsewhere";
            }),
            "merged");
}

TEST(MergeTest, ABinThatOnlyAllShardsTogetherHitIsHit) {
  std::vector<NamedResults> parts = shards(4);  // 0 and 2 hold the path fp32
  for (const std::size_t shard : {std::size_t{0}, std::size_t{2}}) {
    harness::CoverageRecord& record = parts[shard].results.coverage[0];
    record.coverage = {};
    for (unsigned i = 0; i < 2048; ++i) {
      const unsigned pair = static_cast<unsigned>(shard) * 1024 + i;
      record.coverage.add_element(pair % 16, static_cast<std::uint8_t>(pair / 16), 0);
    }
    record.missing_bins = {"pairs", "edge/tie"};
  }
  const Merged merged = merge_results(parts, knowledge()).value();
  EXPECT_THAT(merged.results.coverage[0].missing_bins, ElementsAre("edge/tie"));
  EXPECT_EQ(name_of(merged.results.end->verdict), "INCOMPLETE");
}

TEST(MergeTest, AShardThatDoesNotAddUpIsRefused) {
  std::vector<NamedResults> parts = shards(2);
  parts[1].results.not_run.clear();
  EXPECT_THAT(error_of(parts), HasSubstr("1.jsonl: does not add up: the header announces 1 rows"));
  parts = shards(2);
  parts[0].results.end->verdict = harness::RunVerdict::mismatch;
  EXPECT_THAT(error_of(parts), HasSubstr("the end record says MISMATCH"));
  parts = shards(2);
  parts[0].results.coverage.clear();
  EXPECT_THAT(error_of(parts), HasSubstr("has 0 coverage records"));
}

TEST(MergeTest, AProfileThatChangedBetweenShardsIsSeen) {
  std::vector<NamedResults> parts = shards(2);
  parts[1].results.header.profiles[0].sha256[0] ^= 1;
  EXPECT_THAT(error_of(parts), HasSubstr("differ in what the profile ocp says"));
}

TEST(MergeTest, ADamagedHeaderCannotMakeTheListOfMissingCasesEndless) {
  std::vector<NamedResults> parts = shards(2);
  for (NamedResults& part : parts) {
    part.results.header.plan_total = ~std::uint64_t{0};
    part.results.header.selection.shard.count = ~std::uint64_t{0};
  }
  const auto missing = missing_of(parts);
  EXPECT_EQ(missing.size(), 21u);
  EXPECT_THAT(missing.back(), HasSubstr(" more are missing"));
}

}  // namespace
