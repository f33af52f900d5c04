#include "harness/results/records/abridged_record.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/results/records/results_file.hpp"
#include "harness/results/tests/results_fixture.hpp"

namespace {

using harness::abridge_record;
using harness::RecordDetail;

std::string abridged(std::string text, const RecordDetail& detail) {
  abridge_record(text, detail);
  return text;
}

TEST(AbridgedRecordTest, KeepsTheFirstMismatchesAndNothingElseChanges) {
  const std::string before =
      R"({"record":"case","case":"a \"first\": [1]","diagnosis":{"explanation":"}]","first":[)";
  const std::string first = R"({"site":{"x":[1,2]},"text":"a],\\"})";
  const std::string others = R"(,{"text":"b"},{"text":"c\"}]"})";
  const std::string behind = R"(],"wrong_map":{"rows":["",""]}},"trespasses":[{"first":[1,2,3]}]})";
  EXPECT_EQ(abridged(before + first + others + behind, {1, true}), before + first + behind);
  EXPECT_EQ(abridged(before + first + others + behind, {3, true}),
            before + first + others + behind);
  EXPECT_EQ(abridged(before + first + others + behind, {0, true}), before + behind);
}

TEST(AbridgedRecordTest, CutsTheMapOut) {
  EXPECT_EQ(
      abridged(R"({"diagnosis": { "first": [], "wrong_map": {"a": "}"} } , "b": 1})", {2, false}),
      R"({"diagnosis": { "first": [] } , "b": 1})");
}

TEST(AbridgedRecordTest, LeavesWhatIsNoRecordToTheParser) {
  for (const std::string text :
       {"", "{", "[", "nothing", R"({"diagnosis":{"first":[1,2,3)", R"({"diagnosis":[1,2,3]})",
        R"({"diagnosis":{"first":[1,,3]}})", R"({"diagnosis":{"first":[1,2,3]})",
        R"({"first":[1,2,3]})", R"({"record":"end","reasons":["a","b","c"]})"}) {
    EXPECT_EQ(abridged(text, {1, false}), text);
  }
}

// Every cut of a real record is a record, with the same verdict and counts.
TEST(AbridgedRecordTest, ARecordStaysARecord) {
  harness::ResultsFile results = harness::fixture::passing_run();
  harness::CaseRecord& record = results.cases.front();
  harness::fixture::make_mismatch(record);
  record.diagnosis.first.resize(5, record.diagnosis.first.front());
  const std::string text = to_json(record).dump();
  for (std::size_t kept = 0; kept <= 6; ++kept) {
    for (const bool map : {true, false}) {
      const auto json = nlohmann::json::parse(abridged(text, {kept, map}));
      const auto read = harness::case_record_from_json(json, "record");
      ASSERT_TRUE(read) << read.error().message;
      EXPECT_EQ(read->diagnosis.first.size(), std::min<std::size_t>(kept, 5));
      EXPECT_EQ(read->diagnosis.mismatches, record.diagnosis.mismatches);
      EXPECT_EQ(read->diagnosis.wrong_map.empty(), !map || record.diagnosis.wrong_map.empty());
      EXPECT_EQ(read->key(), record.key());
    }
  }
}

// A file is as long as it is, whatever is kept of it; and each record is found again where it lies.
TEST(AbridgedRecordTest, AFileOfManyFailuresKeepsLessOfTheLater) {
  harness::ResultsFile results = harness::fixture::passing_run();
  harness::CaseRecord failing = results.cases.front();
  harness::fixture::make_mismatch(failing);
  failing.diagnosis.first.resize(3, failing.diagnosis.first.front());
  std::string text = to_json(results.header).dump() + '\n';
  constexpr std::size_t failures = 5100;
  std::vector<std::size_t> offsets;
  for (std::size_t i = 0; i < failures; ++i) {
    offsets.push_back(text.size());
    text += to_json(failing).dump() + '\n';
  }
  std::istringstream stream(text);
  const auto read = harness::parse_results(stream, "many");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->cases.size(), failures);
  EXPECT_EQ(read->keep_bytes, text.size());
  EXPECT_TRUE(std::equal(offsets.begin(), offsets.end(), read->case_offsets.begin(),
                         read->case_offsets.end()));
  EXPECT_EQ(read->cases[1999].diagnosis.first.size(), 3U);
  EXPECT_EQ(read->cases[2000].diagnosis.first.size(), 2U);
  EXPECT_EQ(read->cases[5000].diagnosis.first.size(), 1U);
  EXPECT_TRUE(read->cases[5000].diagnosis.wrong_map.empty());
}

}  // namespace
