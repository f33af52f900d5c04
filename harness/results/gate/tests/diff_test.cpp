#include "harness/results/gate/diff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "harness/results/tests/junit_form.hpp"
#include "harness/results/tests/results_fixture.hpp"

namespace {

using harness::Change;
using harness::Diff;
using harness::diff_results;
using harness::ResultsFile;
using harness::fixture::concluded;
using harness::fixture::passing_run;
using harness::fixture::record;
using testing::HasSubstr;

const std::string key = "nvfp4_gather_index_k/layout_page table cpu";

Diff diff_of(const ResultsFile& baseline, const ResultsFile& now) {
  return diff_results(concluded(baseline), concluded(now)).value();
}

// The one change between two runs.
void expect_only(const Diff& diff, Change change, int exit_code) {
  ASSERT_EQ(diff.entries.size(), 1u);
  EXPECT_EQ(harness::name_of(diff.entries[0].change), harness::name_of(change));
  EXPECT_EQ(diff.entries[0].key, key);
  EXPECT_EQ(diff.exit_code(), exit_code);
  EXPECT_FALSE(diff.identical());
}

TEST(DiffTest, TheSameRunTwiceIsIdentical) {
  ResultsFile now = passing_run();
  now.header.started = "2027-01-01T00:00:00Z";
  for (auto& each : now.cases) each.seconds *= 3;
  const Diff diff = diff_of(passing_run(), now);
  EXPECT_TRUE(diff.identical());
  EXPECT_EQ(diff.exit_code(), 0);
  EXPECT_EQ(to_text(diff, 20), "identical: 12 cases, the same verdicts and the same bytes\n");
}

TEST(DiffTest, ANewFailureFails) {
  ResultsFile now = passing_run();
  harness::fixture::make_mismatch(record(now, key));
  const Diff diff = diff_of(passing_run(), now);
  expect_only(diff, Change::new_failure, 1);
  EXPECT_THAT(to_text(diff, 20),
              HasSubstr("NEW FAILURE: " + key + " (pass -> mismatch): out: 8192 of 16384"));
  EXPECT_THAT(to_text(diff, 20), HasSubstr("  reproduce: fp4cts run --device cpu --path table"));
}

TEST(DiffTest, AMismatchThatBecomesAnErrorIsANewFailure) {
  ResultsFile baseline = passing_run();
  ResultsFile now = passing_run();
  harness::fixture::make_mismatch(record(baseline, key));
  harness::fixture::make_error(record(now, key));
  expect_only(diff_of(baseline, now), Change::new_failure, 1);
}

TEST(DiffTest, OtherBytesAreDriftEvenWhereBothPass) {
  ResultsFile now = passing_run();
  record(now, key).output_sha256[5] ^= 1;
  const Diff diff = diff_of(passing_run(), now);
  expect_only(diff, Change::drift, 1);
  EXPECT_THAT(diff.entries[0].detail, HasSubstr(" became "));
}

TEST(DiffTest, AFailureThatStaysIsNotNewAndOneThatGoesIsFixed) {
  ResultsFile failing = passing_run();
  harness::fixture::make_mismatch(record(failing, key));
  const Diff same = diff_of(failing, failing);
  EXPECT_TRUE(same.identical());
  EXPECT_EQ(same.still_failing, 1u);
  expect_only(diff_of(failing, passing_run()), Change::fixed, 0);
}

TEST(DiffTest, WhatIsNoLongerRunOrThereFailsClosed) {
  ResultsFile now = passing_run();
  harness::fixture::make_not_run(record(now, key));
  expect_only(diff_of(passing_run(), now), Change::newly_not_run, 4);
  now = passing_run();
  std::erase_if(now.cases, [](const auto& each) { return each.key() == key; });
  expect_only(diff_of(passing_run(), now), Change::vanished, 4);
  now = passing_run();
  now.end.reset();
  const Diff killed = diff_of(passing_run(), now);
  EXPECT_FALSE(killed.identical());
  EXPECT_EQ(killed.exit_code(), 4);
}

TEST(DiffTest, ANewCaseIsNewAndFailsOnlyWhereItFails) {
  ResultsFile baseline = passing_run();
  std::erase_if(baseline.cases, [](const auto& each) { return each.key() == key; });
  baseline.header.plan_planned = baseline.cases.size();
  expect_only(diff_of(baseline, passing_run()), Change::added, 0);
  ResultsFile now = passing_run();
  harness::fixture::make_mismatch(record(now, key));
  expect_only(diff_of(baseline, now), Change::new_failure, 1);
}

TEST(DiffTest, ACaseOfTheSameNameAndAnotherSpecIsAnotherCase) {
  ResultsFile now = passing_run();
  record(now, key).case_sha256[0] ^= 1;
  const Diff diff = diff_of(passing_run(), now);
  EXPECT_EQ(diff.count(Change::added), 1u);
  EXPECT_EQ(diff.count(Change::vanished), 1u);
  EXPECT_EQ(diff.exit_code(), 4);
  EXPECT_THAT(to_text(diff, 20), HasSubstr("the case of this name is another one now"));
}

TEST(DiffTest, AFailureThatIsAnotherHasDrifted) {
  ResultsFile baseline = passing_run();
  harness::fixture::make_mismatch(record(baseline, key));
  EXPECT_EQ(diff_of(baseline, baseline).exit_code(), 0);
  ResultsFile beside = baseline;
  record(beside, key).trespasses = {{"pages", "input", 0, 0x30, 0x31, 4}};
  expect_only(diff_of(baseline, beside), Change::drift, 1);
  ResultsFile other = baseline;
  record(other, key).diagnosis.fault_class = "zero_page";
  expect_only(diff_of(baseline, other), Change::drift, 1);
}

TEST(DiffTest, AWaivedFailureIsListedAndDoesNotFail) {
  ResultsFile now = passing_run();
  harness::fixture::make_mismatch(record(now, key));
  record(now, key).waiver = "https://tracker.example/1";
  expect_only(diff_of(passing_run(), now), Change::waived, 0);
}

TEST(DiffTest, AWaivedFailureWhoseBytesChangedHasDrifted) {
  ResultsFile baseline = passing_run();
  harness::fixture::make_mismatch(record(baseline, key));
  record(baseline, key).waiver = "https://tracker.example/1";
  ResultsFile now = baseline;
  record(now, key).output_sha256[5] ^= 1;
  expect_only(diff_of(baseline, now), Change::drift, 1);
}

TEST(DiffTest, AnIncompleteRunIsNotIdenticalToItself) {
  ResultsFile run = passing_run();
  harness::fixture::make_not_run(record(run, key));
  const Diff same = diff_of(run, run);
  EXPECT_TRUE(same.entries.empty());
  EXPECT_FALSE(same.identical());
  EXPECT_EQ(same.exit_code(), 4);
  EXPECT_THAT(to_text(same, 20), HasSubstr("INCOMPLETE: the new run is not complete: 1 of 12 cases "
                                           "did not run"));
}

TEST(DiffTest, TwoRunsOfNothingAreNotIdentical) {
  ResultsFile empty = passing_run();
  empty.cases.clear();
  empty.header.plan_planned = empty.header.plan_total = 0;
  const Diff nothing = diff_of(empty, empty);
  EXPECT_FALSE(nothing.identical());
  EXPECT_EQ(nothing.exit_code(), 4);
  EXPECT_THAT(nothing.hindrances, testing::Contains("no case is in both runs"));
}

TEST(DiffTest, StaleWaiversFail) {
  harness::WaiverUse use;
  use.waiver.tracker = "https://tracker.example/1";
  use.expired = true;
  const Diff diff = diff_results(concluded(passing_run()), concluded(passing_run(), {use})).value();
  EXPECT_FALSE(diff.identical());
  EXPECT_EQ(diff.exit_code(), 1);
  EXPECT_THAT(to_text(diff, 20), HasSubstr("STALE WAIVERS: the waiver https://tracker.example/1"));
}

TEST(DiffTest, RunsJudgedByDifferentProfilesAreNotIdentical) {
  ResultsFile now = passing_run();
  now.header.profiles[0].sha256[0] ^= 1;
  const Diff diff = diff_of(passing_run(), now);
  EXPECT_FALSE(diff.identical());
  EXPECT_EQ(diff.exit_code(), 4);
  EXPECT_THAT(diff.hindrances.front(), HasSubstr("was judged by another profile"));
}

TEST(DiffTest, NotesNameWhatChangedAroundTheCases) {
  ResultsFile now = passing_run();
  now.header.devices[0].facts["driver"] = "590.1";
  now.header.implementations[1].module_sha256 = "";
  const Diff diff = diff_of(passing_run(), now);
  EXPECT_TRUE(diff.identical());
  ASSERT_EQ(diff.notes.size(), 2u);
  EXPECT_EQ(diff.notes[0], "cpu driver: \"580.159.04\" became \"590.1\"");
  EXPECT_THAT(diff.notes[1], HasSubstr("nvfp4_gather_index_k table cpu module: ddd"));
}

TEST(DiffTest, ABaselineThatIsNotWholeIsRefused) {
  ResultsFile killed = passing_run();
  killed.end.reset();
  EXPECT_FALSE(diff_results(concluded(killed), concluded(passing_run())).has_value());
  EXPECT_THAT(
      diff_results(concluded(passing_run({1, 4})), concluded(passing_run())).error().message,
      HasSubstr("the baseline is shard 1/4"));
}

TEST(DiffTest, JunitIsRedExactlyWhereTheExitCodeIsNot0) {
  const auto red = [](const Diff& diff) {
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(diff_junit(diff).c_str()));
    EXPECT_EQ(harness::fixture::junit_fault(document.document_element()), "");
    const pugi::xml_node suite = document.child("testsuites").child("testsuite");
    std::size_t tests = 0;
    unsigned outcomes = 0;
    for (const pugi::xml_node test : suite.children("testcase")) {
      ++tests;
      if (test.child("failure") || test.child("error")) ++outcomes;
    }
    EXPECT_EQ(suite.attribute("tests").as_uint(), tests);
    EXPECT_EQ(tests, diff.entries.size() + 1);
    EXPECT_EQ(suite.attribute("failures").as_uint() + suite.attribute("errors").as_uint(),
              outcomes);
    return outcomes;
  };
  EXPECT_EQ(red(diff_of(passing_run(), passing_run())), 0u);
  ResultsFile now = passing_run();
  harness::fixture::make_mismatch(record(now, key));
  EXPECT_EQ(red(diff_of(passing_run(), now)), 2u);  // the case and the diff
  EXPECT_EQ(red(diff_of(now, passing_run())), 0u);  // fixed
  record(now, key).waiver = "https://tracker.example/1";
  EXPECT_EQ(red(diff_of(passing_run(), now)), 0u);
  harness::fixture::make_not_run(record(now, key));
  EXPECT_EQ(red(diff_of(now, now)), 1u);  // not complete: no case changed
}

TEST(DiffTest, ListsAreCappedAndSayHowManyWereLeftOut) {
  ResultsFile now = passing_run();
  for (auto& each : now.cases) harness::fixture::make_mismatch(each);
  const std::string text = to_text(diff_of(passing_run(), now), 3);
  EXPECT_THAT(text, HasSubstr("NEW FAILURE: 9 more not listed\n"));
  const auto json = to_json(diff_of(passing_run(), now));
  EXPECT_EQ(json.at("counts").at("new_failure"), 12);
  EXPECT_EQ(json.at("entries").size(), 12u);
  EXPECT_EQ(json.at("exit_code"), 1);
}

}  // namespace
