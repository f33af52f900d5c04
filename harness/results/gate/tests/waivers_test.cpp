#include "harness/results/gate/waivers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/results/tests/results_fixture.hpp"
#include "harness/results/verdict/conclusion.hpp"

namespace {

using harness::apply_waivers;
using harness::ConcludedRun;
using harness::name_of;
using harness::ResultsFile;
using harness::Waiver;
using harness::WaiverUse;
using harness::fixture::passing_run;
using harness::fixture::record;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string key = "nvfp4_gather_index_k/layout_page table cpu";
constexpr const char* today = "2026-11-29";

Waiver waiver(std::vector<std::string> cases) {
  Waiver result;
  result.cases = std::move(cases);
  result.path = "table";
  result.tracker = "https://tracker.example/KV-12";
  result.owner = "kv-team";
  result.expires = today;
  result.comment = "known";
  return result;
}

ResultsFile failing_run() {
  ResultsFile results = passing_run();
  harness::fixture::make_mismatch(record(results, key));
  harness::fixture::conclude_anew(results);
  return results;
}

struct Outcome {
  std::uint64_t covers = 0;
  std::string verdict;
  int exit_code = 0;
};

// What follows from a file of these records, read with these waivers or without any.
ConcludedRun read_again(ResultsFile results, std::optional<std::vector<Waiver>> waivers) {
  harness::fixture::conclude_anew(results);
  harness::ConcludeOptions options;
  options.bytes = false;
  options.waivers = std::move(waivers);
  options.today = today;
  return conclude(std::move(results), "r.jsonl", harness::fixture::knowledge(), options).value();
}

Outcome outcome(const ResultsFile& results, const Waiver& with) {
  const ConcludedRun run = read_again(results, std::vector{with});
  return {run.waivers[0].covers, std::string(name_of(run.end.verdict)), run.end.exit_code};
}

TEST(WaiversTest, AWaivedFailureIsAcceptedAndNeverCountedAsPassed) {
  const ConcludedRun run = read_again(failing_run(), std::vector{waiver({"*/layout_page"})});
  ResultsFile results = run.results;
  EXPECT_EQ(record(results, key).waiver, "https://tracker.example/KV-12");
  const harness::EndRecord& end = run.end;
  EXPECT_EQ(name_of(end.verdict), "WAIVED");
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_FALSE(end.statement);
  EXPECT_THAT(end.reasons, ElementsAre("1 of 12 cases failed and are waived"));
  EXPECT_EQ(end.rows[1].waived, 1u);
  EXPECT_EQ(end.rows[1].passed, 5u);
  EXPECT_EQ(end.rows[1].mismatches, 0u);
}

TEST(WaiversTest, WithoutAWaiverTheSameRunIsAMismatch) {
  const harness::EndRecord end = read_again(failing_run(), std::nullopt).end;
  EXPECT_EQ(name_of(end.verdict), "MISMATCH");
  EXPECT_EQ(end.exit_code, 1);
}

TEST(WaiversTest, EveryPartOfTheScopeMustMatch) {
  const auto covers = [](const auto& change) {
    Waiver changed = waiver({"*/layout_page"});
    change(changed);
    return outcome(failing_run(), changed).covers;
  };
  EXPECT_EQ(covers([](Waiver&) {}), 1u);
  EXPECT_EQ(covers([](Waiver& w) { w.cases = {"*/nothing", "nvfp4*layout*"}; }), 1u);
  EXPECT_EQ(covers([](Waiver& w) { w.cases = {"*/nothing"}; }), 0u);
  EXPECT_EQ(covers([](Waiver& w) { w.operation = "mxfp4_*"; }), 0u);
  EXPECT_EQ(covers([](Waiver& w) { w.path = "fp32"; }), 0u);
  EXPECT_EQ(covers([](Waiver& w) { w.device = "cuda:*"; }), 0u);
  EXPECT_EQ(covers([](Waiver& w) { w.device = "x86-64"; }), 1u);
  EXPECT_EQ(covers([](Waiver& w) { w.device = "Processor, *"; }), 1u);
  EXPECT_EQ(covers([](Waiver& w) { w.driver = "580.*"; }), 1u);
  EXPECT_EQ(covers([](Waiver& w) { w.driver = "590.*"; }), 0u);
  EXPECT_EQ(covers([](Waiver& w) { w.profile = "ocp"; }), 1u);
  EXPECT_EQ(covers([](Waiver& w) { w.profile = "fnuz"; }), 0u);
  EXPECT_EQ(covers([](Waiver& w) { w.fault_class = "nibble_swap"; }), 1u);
  EXPECT_EQ(covers([](Waiver& w) { w.fault_class = "truncation"; }), 0u);
  EXPECT_EQ(covers([](Waiver& w) { w.verdicts = {harness::Verdict::error}; }), 0u);
}

TEST(WaiversTest, AMismatchWaiverDoesNotHideACrash) {
  ResultsFile results = passing_run();
  harness::fixture::make_error(record(results, key));
  Waiver both = waiver({"*/layout_page"});
  EXPECT_EQ(outcome(results, both).verdict, "ERROR");
  both.verdicts = {harness::Verdict::mismatch, harness::Verdict::error};
  EXPECT_EQ(outcome(results, both).verdict, "WAIVED");
}

TEST(WaiversTest, WhatWasNotRunIsNeverWaived) {
  ResultsFile results = passing_run();
  harness::fixture::make_not_run(record(results, key));
  const Outcome result = outcome(results, waiver({"*/layout_page"}));
  EXPECT_EQ(result.covers, 0u);
  EXPECT_EQ(result.verdict, "INCOMPLETE");
  EXPECT_EQ(result.exit_code, 4);
}

TEST(WaiversTest, AnExpiredWaiverCoversNothingAndFails) {
  Waiver old = waiver({"*/layout_page"});
  old.expires = "2026-11-28";
  Outcome result = outcome(failing_run(), old);
  EXPECT_EQ(result.covers, 0u);
  EXPECT_EQ(result.verdict, "MISMATCH");
  result = outcome(passing_run(), old);
  EXPECT_EQ(result.verdict, "STALE WAIVERS");
  EXPECT_EQ(result.exit_code, 1);
}

TEST(WaiversTest, AnUnexpectedPassFailsAndIsNamed) {
  const harness::EndRecord end =
      read_again(failing_run(), std::vector{waiver({"*/layout_page", "*/high_ids"})}).end;
  EXPECT_EQ(name_of(end.verdict), "STALE WAIVERS");
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.reasons.back(),
              HasSubstr("covers what passes: nvfp4_gather_index_k/high_ids table cpu"));
}

// What a file that ended with these waivers says when it is read again without them.
harness::EndRecord read_again(ResultsFile results, const Waiver& stale) {
  const auto uses = apply_waivers(results, {stale}, today);
  results.end = draw_end(results, harness::fixture::knowledge(), false, uses);
  EXPECT_EQ(results.end->verdict, harness::RunVerdict::stale_waivers);
  harness::ConcludeOptions options;
  options.bytes = false;
  const auto run = conclude(results, "r.jsonl", harness::fixture::knowledge(), options);
  EXPECT_TRUE(run) << run.error().message;
  return run ? run->end : harness::EndRecord{};
}

TEST(WaiversTest, AStaleWaiverOfARunIsNotForgottenWhenItIsReadWithoutTheWaivers) {
  const harness::EndRecord end = read_again(passing_run(), waiver({"*/high_ids"}));
  EXPECT_EQ(name_of(end.verdict), "STALE WAIVERS");
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_FALSE(end.statement);
}

TEST(WaiversTest, AFailureBesideAStaleWaiverIsAFailureWhenItIsReadWithoutTheWaivers) {
  const harness::EndRecord end = read_again(failing_run(), waiver({"*/layout_page", "*/high_ids"}));
  EXPECT_EQ(name_of(end.verdict), "MISMATCH");
  EXPECT_EQ(end.exit_code, 1);
}

TEST(WaiversTest, AWaiverThatMatchesNothingHereIsNoFault) {
  const Outcome result = outcome(passing_run(), waiver({"mxfp4_*"}));
  EXPECT_EQ(result.verdict, "CONFORMS");
  EXPECT_EQ(result.exit_code, 0);
}

TEST(WaiversTest, JsonIsReadStrictly) {
  const auto read = [](const std::string& members) {
    const auto list = harness::waivers_from_json(
        nlohmann::json::parse(R"({"schema":1,"waivers":[{)" + members + "}]}"), "w.json");
    return list ? std::string("accepted") : list.error().message;
  };
  const std::string rest = R"(,"tracker":"t","owner":"o","expires":"2026-12-31","comment":"c")";
  EXPECT_EQ(read(R"("cases":["a/*"])" + rest), "accepted");
  EXPECT_EQ(read(R"("cases":["a"],"path":"p","device":"d","driver":"x","profile":"y",)"
                 R"("operation":"o","verdicts":["error"],"fault_class":"z")" +
                 rest),
            "accepted");
  EXPECT_THAT(read(R"("cases":[])" + rest), HasSubstr("/waivers/0: \"cases\": expected a list"));
  EXPECT_THAT(read(R"("cases":["a",3])" + rest), HasSubstr("\"cases\": expected a list"));
  EXPECT_THAT(read(R"("cases":["a"],"verdicts":["pass"])" + rest),
              HasSubstr("expected mismatch or error, got 'pass'"));
  EXPECT_THAT(read(R"("cases":["a"],"verdicts":["not_run"])" + rest),
              HasSubstr("expected mismatch or error, got 'not_run'"));
  EXPECT_THAT(read(R"("cases":["a"],"until":"x")" + rest), HasSubstr("\"until\""));
  for (const char* day : {"2026-02-30", "2026-13-01", "26-01-01", "2026-1-011", "tomorrow", ""}) {
    EXPECT_THAT(read(std::string(R"("cases":["a"],"tracker":"t","owner":"o","comment":"c",)") +
                     R"("expires":")" + day + '"'),
                HasSubstr("expected a day such as 2026-12-31"))
        << day;
  }
  EXPECT_THAT(read(R"("cases":["a"],"owner":"o","expires":"2026-12-31","comment":"c")"),
              HasSubstr("\"tracker\": expected this member"));
}

}  // namespace
