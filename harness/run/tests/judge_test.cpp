// One case judged: each way to be wrong gets its own verdict.
#include "harness/run/judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/fakes/fake_implementation.hpp"
#include "harness/fakes/fake_operation.hpp"
#include "harness/files/sha256.hpp"

namespace harness {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const oracle::Profile& profile() { return oracle::profiles::ocp(); }

Case case_of(int bytes, int tail, int calls) {
  Case made;
  made.operation = "doubling";
  made.id = "doubling/made";
  made.spec = {{"bytes", bytes}, {"tail", tail}, {"calls", calls}};
  return made;
}

CaseRecord judged(const std::string& behaviour, const Case& from = case_of(64, 16, 1)) {
  const fakes::FakeOperation operation;
  Result<PreparedCase> prepared = PreparedCase::make(operation, from, profile());
  EXPECT_TRUE(prepared) << prepared.error().message;
  const std::unique_ptr<Implementation> implementation = fakes::fake_implementation(behaviour);
  return judge(operation, profile(), *prepared, *implementation);
}

TEST(JudgeTest, RightBytesPass) {
  const CaseRecord record = judged("right");
  EXPECT_EQ(record.verdict, Verdict::pass);
  EXPECT_THAT(record.reason, IsEmpty());
  EXPECT_EQ(record.calls, 2u);
  EXPECT_EQ(record.bytes_compared, 2u * 80);
  EXPECT_EQ(record.seconds, 1e-6);
  EXPECT_EQ(record.bytes_moved, 128u);
  std::vector<std::uint8_t> expected(80, 0xa5);
  for (std::size_t i = 0; i < 64; ++i) expected[i] = static_cast<std::uint8_t>(2 * (3 * i + 1));
  EXPECT_EQ(record.output_sha256, sha256_hex(expected));
}

TEST(JudgeTest, EveryCallIsCompared) {
  EXPECT_EQ(judged("right", case_of(64, 16, 3)).calls, 6u);
  EXPECT_EQ(judged("right", case_of(64, 16, 3)).bytes_compared, 6u * 80);
  const CaseRecord record = judged("wrong_in_second_call", case_of(64, 16, 3));
  EXPECT_EQ(record.verdict, Verdict::mismatch);
  EXPECT_EQ(record.reason, "1 of 80 output bytes are wrong in call 2 of 3");
  ASSERT_EQ(record.diagnosis.first.size(), 1u);
  EXPECT_EQ(record.diagnosis.first[0].byte, 5u);
  EXPECT_EQ(record.diagnosis.first[0].site["call"], 1);
}

TEST(JudgeTest, WritingNothingIsAMismatch) {
  const CaseRecord record = judged("writes_nothing");
  EXPECT_EQ(record.verdict, Verdict::mismatch);
  EXPECT_EQ(record.diagnosis.fault_class, "not_written");
}

// Whatever a byte should hold, it is seen that it was never written: 256 cases, so that the fill of
// the first run is what belongs there in one of them.
TEST(JudgeTest, ByteLeftOutIsAMismatchWhateverItShouldHold) {
  unsigned only_in_second_run = 0;
  for (int bytes = 1; bytes <= 256; ++bytes) {
    const CaseRecord record = judged("returns_early", case_of(bytes, 0, 1));
    EXPECT_EQ(record.verdict, Verdict::mismatch) << bytes;
    EXPECT_EQ(record.diagnosis.fault_class, "not_written") << bytes;
    if (record.reason.ends_with("in the second run")) ++only_in_second_run;
  }
  // Doubled bytes are even and the fill 0xa5 is odd; its inverse 0x5a is even.
  EXPECT_EQ(only_in_second_run, 0u);
}

TEST(JudgeTest, ByteThatMustStayIsSeenEvenWhereItIsWrittenWithItsFill) {
  const CaseRecord record = judged("writes_too_much");
  EXPECT_EQ(record.verdict, Verdict::mismatch);
  EXPECT_EQ(record.reason, "1 of 80 output bytes are wrong in the second run");
  EXPECT_EQ(record.diagnosis.first[0].byte, 64u);
}

TEST(JudgeTest, TrespassIsAMismatchWithRightOutputs) {
  const CaseRecord outside = judged("writes_outside");
  EXPECT_EQ(outside.verdict, Verdict::mismatch);
  EXPECT_EQ(outside.reason,
            "written outside out (guard after) at byte 80: 0xc5 became 0x00, 3 bytes in all");
  EXPECT_EQ(outside.trespasses.size(), 1u);  // seen in both runs, said once
  const CaseRecord input = judged("changes_input");
  EXPECT_EQ(input.verdict, Verdict::mismatch);
  EXPECT_EQ(input.reason, "input in was changed at byte 2: 0x07 became 0x0e, 1 bytes in all");
}

TEST(JudgeTest, DifferenceBetweenRunsIsNamed) {
  const CaseRecord record = judged("answers_differently");
  EXPECT_EQ(record.verdict, Verdict::mismatch);
  EXPECT_EQ(record.diagnosis.fault_class, "not_repeatable");
  EXPECT_THAT(record.diagnosis.explanation, HasSubstr("1 output bytes differ between two runs"));
}

TEST(JudgeTest, ErrorsKeepTheirReason) {
  const CaseRecord fails = judged("fails", case_of(64, 16, 3));
  EXPECT_EQ(fails.verdict, Verdict::error);
  EXPECT_EQ(fails.reason, "FAKE_ERROR_ILLEGAL_ADDRESS in call 1 of 3");
  EXPECT_EQ(fails.calls, 0u);
  const CaseRecord size = judged("wrong_size");
  EXPECT_EQ(size.verdict, Verdict::error);
  EXPECT_EQ(size.reason, "output out: expected 80 bytes, got 79");
}

// A case with no output byte at all still runs and passes.
TEST(JudgeTest, EmptyOutputPasses) {
  EXPECT_EQ(judged("right", case_of(0, 0, 1)).verdict, Verdict::pass);
}

TEST(PreparedCaseTest, InvertsFillsAndBack) {
  const fakes::FakeOperation operation;
  Result<PreparedCase> prepared = PreparedCase::make(operation, case_of(3, 2, 1), profile());
  ASSERT_TRUE(prepared) << prepared.error().message;
  using Bytes = std::vector<std::uint8_t>;
  const Bytes expected{2, 8, 14, 0xa5, 0xa5};
  EXPECT_EQ(prepared->expected(0)[0], expected);
  EXPECT_FALSE(prepared->untouched(0, 0, 2));
  EXPECT_TRUE(prepared->untouched(0, 0, 3));
  EXPECT_TRUE(prepared->untouched(0, 0, 4));
  prepared->invert_fills();
  EXPECT_EQ(prepared->calls()[0].find("out")->storage, Bytes(5, 0x5a));
  EXPECT_EQ(prepared->expected(0)[0], (Bytes{2, 8, 14, 0x5a, 0x5a}));
  prepared->invert_fills();
  EXPECT_EQ(prepared->expected(0)[0], expected);
}

// An oracle that computes from the fill would make every kernel wrong in one of the runs.
class FillReader final : public Operation {
 public:
  std::string_view name() const override { return base_.name(); }
  std::string_view summary() const override { return base_.summary(); }
  std::vector<Case> cases(Level level, std::uint64_t seed) const override {
    return base_.cases(level, seed);
  }
  Result<std::vector<Problem>> build(const nlohmann::json& spec) const override {
    return base_.build(spec);
  }
  nlohmann::json random_spec(std::uint64_t seed) const override { return base_.random_spec(seed); }
  std::vector<nlohmann::json> smaller_specs(const nlohmann::json& spec) const override {
    return base_.smaller_specs(spec);
  }
  Status validate(const Problem& problem) const override { return base_.validate(problem); }
  Result<Outputs> expected(const Problem& problem, const oracle::Profile&) const override {
    Outputs outputs{problem.find("out")->storage};
    ++outputs[0][0];
    return outputs;
  }
  const Signature& signature() const override { return base_.signature(); }
  Diagnosis diagnose(std::span<const Problem> calls, const oracle::Profile& p,
                     const Outputs& expected, const Outputs& actual) const override {
    return base_.diagnose(calls, p, expected, actual);
  }
  void cover(const Problem& problem, Coverage& coverage) const override {
    base_.cover(problem, coverage);
  }
  std::vector<std::string> required_bins() const override { return {}; }

 private:
  fakes::FakeOperation base_;
};

TEST(PreparedCaseTest, RefusesAnOracleThatReadsTheFill) {
  const auto prepared = PreparedCase::make(FillReader(), case_of(3, 2, 1), profile());
  ASSERT_FALSE(prepared);
  EXPECT_THAT(prepared.error().message, HasSubstr("a byte is either written or left alone"));
}

}  // namespace
}  // namespace harness
