// Results: what is written is read back, and a file cut short resumes.
#include "harness/results/records/results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "harness/files/tests/temporary_folder.hpp"
#include "harness/results/records/results_file.hpp"

namespace harness {
namespace {

using ::testing::HasSubstr;

CaseRecord failing_case() {
  CaseRecord record;
  record.index = 7;
  record.case_id = "gather/exhaustive_page";
  record.case_sha256 = std::string(64, 'a');
  record.operation = "gather";
  record.path = "fp32";
  record.device = "cpu";
  record.verdict = Verdict::mismatch;
  record.reason = "2 wrong bytes";
  record.bytes_compared = 32768;
  record.calls = 2;
  record.output_sha256 = std::string(64, 'b');
  record.seconds = 0.25;
  record.bytes_moved = 25600;
  record.diagnosis.mismatches = 2;
  record.diagnosis.fault_class = "nibble_swap";
  record.diagnosis.same_bytes_classes = {"page_order"};
  record.diagnosis.explanation = "Every pair is exchanged.";
  record.diagnosis.wrong_map = WrongMap("token", 128, "element", 128);
  record.diagnosis.wrong_map.mark(3, 5);
  Mismatch mismatch;
  mismatch.tensor = "out";
  mismatch.byte = 12;
  mismatch.expected = 0x7e;
  mismatch.actual = 0x3f800000;
  mismatch.site = {{"page", 0}, {"scale", "0x38"}};
  mismatch.text = "page 0";
  record.diagnosis.first = {mismatch};
  record.trespasses = {{"out", "guard before", -16, 0xa5, 0x00, 4}};
  record.reproduce = "fp4cts run";
  record.waiver = "https://tracker.example/1";
  return record;
}

RunHeader header() {
  RunHeader header;
  header.suite_version = "0.1.0";
  header.suite_commit = "unknown";
  header.started = "2026-01-02T03:04:05Z";
  header.selection.devices = {"all"};
  header.selection.filters = {"*"};
  header.selection.level = Level::full;
  header.selection.seed = INT64_MAX;
  header.selection.libraries = {"a.so", "b.so"};
  header.selection.programs = {"python3 gather.py {in} {out}"};
  header.selection.modules = {"map.json"};
  header.selection.shard = {1, 4};
  header.plan_total = 9;
  header.plan_planned = 3;
  header.plan_sha256 = std::string(64, '0');
  header.environment = {{"cpu", "none"}};
  header.devices = {{"cpu", "a cpu", "x86-64", 1024, {{"cores", 2}}}};
  ImplementationInfo info;
  info.operation = "gather";
  info.path = "fp32";
  info.device = "cpu";
  info.execution = Machinery::simulated;
  header.implementations = {info};
  return header;
}

// Reading what was written and writing it again gives the same text.
template <class Record, class Read>
void expect_round_trip(const Record& record, Read read) {
  const std::string text = to_json(record).dump();
  const auto again = read(nlohmann::json::parse(text), "here");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(nlohmann::json(to_json(*again)), nlohmann::json::parse(text));
}

TEST(ResultsTest, RecordsReadBackAsWritten) {
  expect_round_trip(failing_case(), case_record_from_json);
  CaseRecord passing = failing_case();
  passing.verdict = Verdict::pass;
  expect_round_trip(passing, case_record_from_json);
  expect_round_trip(header(), header_from_json);
  expect_round_trip(NotRunRecord{"gather", "qmul4", "cuda:0", "needs sm_100a", true},
                    not_run_record_from_json);
  CoverageRecord coverage{"gather", "fp32", "cpu", {}, {"edge/nan"}, true};
  coverage.coverage.add("edge/tie", 3);
  coverage.coverage.add_element(0xb, 0x7a, 15);
  coverage.coverage.add_element(0xf, 0xff, 31);
  expect_round_trip(coverage, coverage_record_from_json);
  EndRecord end;
  end.verdict = RunVerdict::mismatch;
  end.exit_code = 1;
  end.reasons = {"1 case differs"};
  end.rows = {{"gather", "fp32", "cpu", 4, 4, 3, 1, 0, 0, 100, 1.5}};
  expect_round_trip(end, end_record_from_json);
}

TEST(ResultsTest, CoverageKeepsEveryPairAndPlace) {
  Coverage coverage;
  for (unsigned pair = 0; pair < 4096; pair += 3) {
    coverage.add_element(static_cast<std::uint8_t>(pair % 16), static_cast<std::uint8_t>(pair / 16),
                         pair % 32);
  }
  const auto again = coverage_from_json(to_json(coverage), "coverage");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, coverage);
}

TEST(ResultsTest, ErrorsNamePlaceMemberExpectedAndActual) {
  nlohmann::json json = to_json(failing_case());
  json["verdict"] = "green";
  const auto verdict = case_record_from_json(json, "f line 2");
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().message,
            "f line 2: \"verdict\": expected one of pass, mismatch, error, not_run, got \"green\"");
  json = to_json(failing_case());
  json["diagnosis"]["first"][0]["actual"] = "7e";
  const auto bits = case_record_from_json(json, "f line 2");
  ASSERT_FALSE(bits);
  EXPECT_THAT(bits.error().message, HasSubstr("f line 2: diagnosis: first/0: \"actual\""));
  json = to_json(failing_case());
  json.erase("calls");
  EXPECT_FALSE(case_record_from_json(json, "f line 2"));
  json = to_json(header());
  json["schema"] = 2;
  EXPECT_FALSE(header_from_json(json, "f line 1"));
}

class ResultsFileTest : public ::testing::Test {
 protected:
  std::string write_run() {
    auto writer = ResultsWriter::create(path());
    EXPECT_TRUE(writer) << writer.error().message;
    EXPECT_TRUE(writer->write(to_json(header())));
    EXPECT_TRUE(writer->write(to_json(NotRunRecord{"gather", "hip", "hip:0", "absent", false})));
    EXPECT_TRUE(writer->write(to_json(failing_case())));
    return path();
  }
  std::string path() const { return (folder_.path() / results_file_name).string(); }
  TemporaryFolder folder_;
};

TEST_F(ResultsFileTest, ReadsWhatWasWritten) {
  write_run();
  const auto file = read_results(folder_.path().string());  // by its folder
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->header.plan_total, 9u);
  ASSERT_EQ(file->cases.size(), 1u);
  EXPECT_EQ(file->cases[0].key(), "gather/exhaustive_page fp32 cpu");
  EXPECT_EQ(file->not_run.size(), 1u);
  EXPECT_FALSE(file->end);
  EXPECT_EQ(file->keep_bytes, std::filesystem::file_size(path()));
}

TEST_F(ResultsFileTest, NeverOverwritesResults) {
  write_run();
  const auto again = ResultsWriter::create(path());
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr(path()));
}

// What a run leaves that was killed, or whose machine lost power, before its header was whole.
TEST_F(ResultsFileTest, AFileWithoutAHeaderIsTakenOver) {
  for (const std::string left : {"", "{\"record\":\"head"}) {
    std::ofstream(path(), std::ios::trunc) << left;
    const auto nothing = read_results(path());
    ASSERT_FALSE(nothing);
    EXPECT_THAT(nothing.error().message, HasSubstr("nothing of a run is in it"));
    write_run();
    const auto file = read_results(path());
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->cases.size(), 1u);
    std::filesystem::remove(path());
  }
}

TEST_F(ResultsFileTest, TwoRunsNeverWriteOneFile) {
  {
    const auto first = ResultsWriter::create(path());
    ASSERT_TRUE(first) << first.error().message;
    for (const auto& second : {ResultsWriter::create(path()), ResultsWriter::open(path())}) {
      ASSERT_FALSE(second);
      EXPECT_EQ(second.error().message, path() + " is being written by another run");
    }
  }
  EXPECT_TRUE(ResultsWriter::open(path()));
}

// Escapes of a terminal, forged lines, and what XML has no form for.
TEST_F(ResultsFileTest, TextsOfAFileAreCleanedWhenTheyAreRead) {
  CaseRecord record = failing_case();
  record.reason = "\x1b[2Jgood\nCONFORMS\uffff";
  {
    auto writer = ResultsWriter::create(path());
    ASSERT_TRUE(writer) << writer.error().message;
    ASSERT_TRUE(writer->write(to_json(header())));
    ASSERT_TRUE(writer->write(to_json(record)));
  }
  const auto file = read_results(path());
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->cases.at(0).reason, "\\x1b[2Jgood CONFORMS\\uffff");
}

TEST_F(ResultsFileTest, AWriterSeesWhatOthersWrote) {
  auto writer = ResultsWriter::create(path());
  ASSERT_TRUE(writer) << writer.error().message;
  ASSERT_TRUE(writer->write(to_json(header())));
  { std::fstream(path(), std::ios::in | std::ios::out) << "["; }
  const auto changed = writer->check_unchanged();
  ASSERT_FALSE(changed);
  EXPECT_THAT(changed.error().message, HasSubstr("was changed by somebody else"));
}

TEST_F(ResultsFileTest, NothingComesBehindTheEnd) {
  write_run();
  {
    auto writer = ResultsWriter::open(path());
    ASSERT_TRUE(writer) << writer.error().message;
    ASSERT_TRUE(writer->keep(std::filesystem::file_size(path())));
    ASSERT_TRUE(writer->write(to_json(EndRecord{})));
  }
  ASSERT_TRUE(read_results(path()));
  { std::ofstream(path(), std::ios::app) << "also verified on cuda:0"; }  // without a line feed
  EXPECT_THAT(read_results(path()).error().message,
              HasSubstr("expected nothing after the end record"));
}

TEST_F(ResultsFileTest, LineCutShortIsLeftOutAndResumed) {
  const auto whole = std::filesystem::file_size(write_run());
  { std::ofstream(path(), std::ios::app) << to_json(failing_case()).dump().substr(0, 99); }
  const auto cut = read_results(path());
  ASSERT_TRUE(cut) << cut.error().message;
  EXPECT_EQ(cut->cases.size(), 1u);
  EXPECT_EQ(cut->keep_bytes, whole);
  {
    auto writer = ResultsWriter::open(path());
    ASSERT_TRUE(writer) << writer.error().message;
    ASSERT_TRUE(writer->keep(cut->keep_bytes));
    EXPECT_TRUE(writer->write(to_json(failing_case())));
    EXPECT_TRUE(writer->write(to_json(EndRecord{})));
  }
  const auto ended = read_results(path());
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_EQ(ended->cases.size(), 2u);
  EXPECT_TRUE(ended->end);
  EXPECT_LT(ended->keep_bytes, std::filesystem::file_size(path()));  // the end is written anew
}

TEST_F(ResultsFileTest, RefusesWhatIsNoResultsFile) {
  EXPECT_FALSE(read_results(path()));  // none there
  for (const std::string text : {"", "\n", "{}\n", "[1]\n", "not json\n", "{\"record\":\"case\"}\n",
                                 "{\"record\":\"header\"}\n"}) {
    std::ofstream(path(), std::ios::trunc) << text;
    EXPECT_FALSE(read_results(path())) << text;
  }
  std::filesystem::remove(path());
  write_run();
  { std::ofstream(path(), std::ios::app) << to_json(header()).dump() << '\n'; }
  const auto second_header = read_results(path());
  ASSERT_FALSE(second_header);
  EXPECT_THAT(second_header.error().message, HasSubstr("line 4: expected no second header"));
}

}  // namespace
}  // namespace harness
