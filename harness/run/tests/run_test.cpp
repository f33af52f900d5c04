// A whole run and its verdict: planned = executed = verified, or it does not conform.
#include "harness/run/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "harness/fakes/fake_implementation.hpp"
#include "harness/fakes/fake_operation.hpp"
#include "harness/run/tests/large_operation.hpp"

namespace harness {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Never answers, at once.
class Silent final : public Implementation {
 public:
  Silent() {
    info_.operation = "doubling";
    info_.path = "silent";
    info_.device = "cpu";
  }
  Result<Execution> execute(const Problem& /*problem*/) override {
    ++calls;
    return oracle::fail(ErrorCode::device_lost, "no answer within 1 s");
  }
  unsigned calls = 0;
};

// One that does not come back.
class Lost final : public Implementation {
 public:
  explicit Lost(std::function<Result<Execution>()> end) : end_(std::move(end)) {
    info_.operation = "doubling";
    info_.path = "lost";
    info_.device = "cpu";
  }
  Result<Execution> execute(const Problem& /*problem*/) override { return end_(); }

 private:
  std::function<Result<Execution>()> end_;
};

class RunTest : public ::testing::Test {
 protected:
  RunTest() { selection_.level = Level::full; }

  void use(const std::vector<std::string>& behaviours) {
    for (const std::string& behaviour : behaviours) {
      implementations_.push_back(fakes::fake_implementation(behaviour));
    }
  }

  EndRecord run() {
    std::vector<ImplementationInfo> infos;
    for (const auto& each : implementations_) infos.push_back(each->info());
    const Result<Plan> plan = make_plan(operations_, infos, selection_);
    EXPECT_TRUE(plan) << plan.error().message;
    RunInputs inputs;
    inputs.operations = operations_;
    inputs.implementations = implementations_;
    inputs.devices = devices_;
    inputs.plan = &*plan;
    inputs.header = header_of(*plan, infos);
    inputs.not_run = plan->not_run;
    inputs.done_before = done_before_;
    inputs.interrupted = &interrupted_;
    inputs.slow_error_seconds = slow_error_seconds_;
    inputs.memory_room = memory_room_;
    inputs.oom_kills = oom_kills_;
    RunObserver observer;
    observer.write = [&](const nlohmann::ordered_json& record) -> Status {
      if (records_.size() == fail_after_) return oracle::fail(ErrorCode::io_error, "disk full");
      records_.push_back(record);
      return {};
    };
    observer.case_done = [&](const CaseRecord& record) {
      cases_.push_back(record);
      if (cases_.size() == interrupt_after_) interrupted_ = true;
    };
    error_ = {};
    const Result<EndRecord> end = run_plan(inputs, observer);
    if (!end) error_ = end.error().message;
    return end.value_or(EndRecord{});
  }

  RunHeader header_of(const Plan& plan, const std::vector<ImplementationInfo>& infos) const {
    RunHeader header;
    header.selection = selection_;
    header.devices = devices_;
    header.plan_total = plan.total;
    header.plan_planned = plan.planned.size();
    header.plan_sha256 = plan.sha256;
    header.not_run_rows = plan.not_run.size();
    for (const std::size_t used : plan.implementations) {
      header.implementations.push_back(infos[used]);
    }
    return header;
  }

  // What `run` wrote, in order, by the kind of record.
  std::vector<std::string> kinds() const {
    std::vector<std::string> kinds;
    for (const auto& record : records_) kinds.push_back(record["record"]);
    return kinds;
  }

  fakes::FakeOperation operation_;
  std::array<const Operation*, 1> operations_{&operation_};
  std::vector<std::unique_ptr<Implementation>> implementations_;
  std::vector<DeviceInfo> devices_;
  std::vector<CaseRecord> done_before_;
  Selection selection_;
  std::atomic<bool> interrupted_{false};
  std::size_t interrupt_after_ = SIZE_MAX;
  std::size_t fail_after_ = SIZE_MAX;
  double slow_error_seconds_ = 10;
  std::function<MemoryRoom()> memory_room_;
  std::function<std::uint64_t()> oom_kills_;
  std::vector<nlohmann::ordered_json> records_;
  std::vector<CaseRecord> cases_;
  std::string error_;
};

TEST_F(RunTest, ACaseForWhichThereIsNoMemoryIsNotRunWithTheReason) {
  const LargeOperation large(std::uint64_t{4} << 30);
  operations_ = {&large};
  memory_room_ = [] { return MemoryRoom{std::uint64_t{10} << 30, "control group /jobs/7"}; };
  use({"right"});
  const EndRecord end = run();
  EXPECT_EQ(end.verdict, RunVerdict::incomplete);
  EXPECT_EQ(end.exit_code, 4);
  ASSERT_EQ(cases_.size(), 4u);
  EXPECT_EQ(cases_[1].verdict, Verdict::not_run);
  EXPECT_EQ(cases_[1].reason,
            "needs 20.5 GiB of host memory; control group /jobs/7 has 10.0 GiB left");
  EXPECT_EQ(cases_[2].verdict, Verdict::pass);
}

// At the moment of the case, not at the start of the run.
TEST_F(RunTest, MemoryThatComesFreeIsUsed) {
  const LargeOperation large(std::uint64_t{4} << 30);
  operations_ = {&large};
  std::uint64_t gibi = 40;
  memory_room_ = [&] { return MemoryRoom{gibi << 30, "this machine"}; };
  use({"right"});
  EXPECT_EQ(run().verdict, RunVerdict::conforms);
  cases_.clear();
  gibi = 1;
  EXPECT_EQ(run().verdict, RunVerdict::incomplete);
}

TEST_F(RunTest, AWorkerThatTheSystemKilledForMemoryIsNoFaultOfAKernel) {
  std::uint64_t kills = 7;
  oom_kills_ = [&] { return kills++; };  // one more each time: it is the system's doing
  implementations_.push_back(std::make_unique<Lost>([]() -> Result<Execution> {
    return oracle::fail(ErrorCode::device_lost, "killed by SIGKILL after 0.1 s");
  }));
  const EndRecord taken = run();
  EXPECT_EQ(taken.verdict, RunVerdict::incomplete);
  EXPECT_EQ(cases_.at(0).verdict, Verdict::not_run);
  EXPECT_EQ(cases_.at(0).reason,
            "the system ended it for want of memory: killed by SIGKILL after 0.1 s");
  cases_.clear();
  oom_kills_ = [] { return 7U; };
  EXPECT_EQ(run().verdict, RunVerdict::error);
  EXPECT_EQ(cases_.at(0).reason, "killed by SIGKILL after 0.1 s");
}

TEST_F(RunTest, AJudgeWithoutMemoryJudgesNobody) {
  implementations_.push_back(
      std::make_unique<Lost>([]() -> Result<Execution> { throw std::bad_alloc(); }));
  EXPECT_EQ(run().verdict, RunVerdict::incomplete);
  EXPECT_EQ(cases_.at(0).verdict, Verdict::not_run);
  EXPECT_EQ(cases_.at(0).reason, "the judge ran out of memory");
}

TEST_F(RunTest, RightImplementationConforms) {
  use({"right"});
  const EndRecord end = run();
  EXPECT_EQ(end.verdict, RunVerdict::conforms);
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_TRUE(end.statement);
  EXPECT_THAT(end.reasons, IsEmpty());
  EXPECT_EQ(end.planned, 4u);
  EXPECT_EQ(end.executed, 4u);
  EXPECT_EQ(end.verified, 4u);
  ASSERT_EQ(end.rows.size(), 1u);
  EXPECT_EQ(end.rows[0].passed, 4u);
  EXPECT_EQ(end.rows[0].bytes_compared, 2u * (80 + 100007 + 256 + 3 * 80));
  EXPECT_NEAR(end.rows[0].gigabytes_per_second, 200, 1e-9);  // 200 kB in 1 us
  EXPECT_THAT(kinds(), ElementsAre("case", "case", "case", "case", "coverage", "end"));
}

TEST_F(RunTest, LowerLevelsAreNoStatement) {
  selection_.level = Level::standard;
  use({"right"});
  const EndRecord end = run();
  EXPECT_EQ(end.verdict, RunVerdict::conforms);
  EXPECT_FALSE(end.statement);
  ASSERT_EQ(end.reasons.size(), 1u);
  EXPECT_THAT(end.reasons[0], HasSubstr("level standard is no conformance statement"));
}

TEST_F(RunTest, WrongBytesBeforeErrorsBeforeWhatIsMissing) {
  use({"right", "fails"});
  EXPECT_EQ(run().exit_code, 3);
  EXPECT_EQ(cases_[1].verdict, Verdict::error);
  use({"writes_nothing"});
  const EndRecord end = run();
  EXPECT_EQ(end.verdict, RunVerdict::mismatch);
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.reasons,
              ElementsAre("4 of 12 cases give wrong bytes", "4 of 12 cases ended in an error",
                          HasSubstr("coverage: doubling fails on cpu did not hit 2")));
  EXPECT_EQ(end.verified, 8u);
}

TEST_F(RunTest, NothingPlannedIsIncomplete) {
  use({"right"});
  selection_.filters = {"no/*"};
  const EndRecord end = run();
  EXPECT_EQ(end.verdict, RunVerdict::incomplete);
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_THAT(end.reasons, ElementsAre("nothing was planned: no case is selected",
                                       "the filter 'no/*' was given, and selects no case"));
}

TEST_F(RunTest, AllUnavailableIsIncomplete) {
  use({"not_here"});
  EXPECT_EQ(run().exit_code, 4);
}

TEST_F(RunTest, RequestedAndUnavailableIsIncomplete) {
  use({"right", "not_here"});
  EXPECT_EQ(run().exit_code, 0);
  selection_.paths = {"right", "not_here"};
  const EndRecord end = run();
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_THAT(end.reasons,
              ElementsAre("path not_here was asked for, and ran nowhere: doubling not_here on cpu: "
                          "needs a device that does not exist"));
}

TEST_F(RunTest, MissedBinFailsLevelFull) {
  operation_.require_bins({"calls/1", "calls/4"});
  use({"right"});
  const EndRecord end = run();
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_THAT(end.reasons, ElementsAre("coverage: doubling right on cpu did not hit 1 required "
                                       "bins: calls/4"));
  EXPECT_FALSE(end.statement);
}

TEST_F(RunTest, FilteredAndShardedRunsAreNotJudgedByCoverage) {
  operation_.require_bins({"calls/4"});
  use({"right"});
  selection_.filters = {"*"};
  EXPECT_EQ(run().exit_code, 0);
  EXPECT_FALSE(run().statement);
  selection_.filters = {};
  selection_.shard = {0, 2};
  const EndRecord end = run();
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_FALSE(end.statement);
  EXPECT_EQ(end.planned, 2u);
}

TEST_F(RunTest, WrongBytesStillCoverAndErrorsDoNot) {
  use({"writes_nothing"});
  const EndRecord end = run();
  EXPECT_THAT(end.reasons, ElementsAre("4 of 4 cases give wrong bytes"));
}

TEST_F(RunTest, InterruptionKeepsWhatIsDone) {
  use({"right"});
  interrupt_after_ = 2;
  const EndRecord end = run();
  EXPECT_TRUE(end.interrupted);
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_EQ(end.executed, 2u);
  EXPECT_THAT(end.reasons, ElementsAre("interrupted", "2 of 4 cases did not run"))
      << "what was not hit says nothing of a run that was cut off";
  EXPECT_THAT(kinds(), ElementsAre("case", "case", "coverage", "end"));
}

TEST_F(RunTest, ResumedRunDoesTheRestAndConforms) {
  use({"right"});
  interrupt_after_ = 2;
  run();
  done_before_ = cases_;
  cases_.clear();
  records_.clear();
  interrupt_after_ = SIZE_MAX;
  interrupted_ = false;
  const EndRecord end = run();
  EXPECT_EQ(cases_.size(), 2u);
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_TRUE(end.statement);  // coverage counts the cases done before
  EXPECT_EQ(end.executed, 4u);
}

TEST_F(RunTest, RecordOfAnotherPlanIsNoPartOfThisOne) {
  use({"right"});
  CaseRecord stray;
  stray.case_id = "doubling/other";
  stray.path = "right";
  stray.device = "cpu";
  stray.verdict = Verdict::pass;
  done_before_ = {stray};
  EXPECT_EQ(run().exit_code, 4);
}

TEST_F(RunTest, ImplementationThatHangsIsGivenUp) {
  slow_error_seconds_ = 0;
  auto silent = std::make_unique<Silent>();
  const Silent& silent_view = *silent;
  implementations_.push_back(std::move(silent));
  use({"right"});
  const EndRecord end = run();
  EXPECT_EQ(silent_view.calls, 3u);
  EXPECT_EQ(end.exit_code, 3);
  EXPECT_EQ(end.rows[0].errors, 3u);
  EXPECT_EQ(end.rows[0].run, 3u);
  EXPECT_EQ(end.rows[1].passed, 4u);
  EXPECT_EQ(cases_[6].verdict, Verdict::not_run);
  EXPECT_EQ(cases_[6].reason, "given up: 3 cases running ended in an error after 0 s or more");
}

TEST_F(RunTest, DeviceTooSmallIsNotRunAndIncomplete) {
  implementations_.push_back(fakes::fake_implementation("right", "cuda:0"));
  devices_ = {{"cuda:0", "small", "none", 1000, {}}};
  const EndRecord end = run();
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_EQ(end.executed, 3u);
  EXPECT_EQ(cases_[1].verdict, Verdict::not_run);
  EXPECT_THAT(cases_[1].reason, HasSubstr("of device memory; cuda:0 has"));
}

TEST_F(RunTest, ResultsThatCannotBeWrittenStopTheRun) {
  use({"right"});
  fail_after_ = 1;
  run();
  EXPECT_EQ(error_, "disk full");
  EXPECT_EQ(records_.size(), 1u);
}

TEST_F(RunTest, UnknownProfileIsAnError) {
  use({"right"});
  selection_.profile = "no_such";
  run();
  EXPECT_THAT(cases_[0].reason, HasSubstr("no profile is named 'no_such'; there are: ocp"));
}

TEST_F(RunTest, RecordsSayWhoseTheyAreAndHowToRepeatThem) {
  use({"right"});
  selection_.seed = 7;
  selection_.filters = {"doubling/three*"};
  run();
  ASSERT_EQ(cases_.size(), 1u);
  EXPECT_EQ(cases_[0].key(), "doubling/three_calls right cpu");
  EXPECT_EQ(cases_[0].reproduce,
            "fp4cts run --device cpu --path right --level full --seed 7 --filter "
            "doubling/three_calls");
  EXPECT_EQ(cases_[0].case_sha256.size(), 64u);
  EXPECT_EQ(records_[0]["index"], 0);
}

}  // namespace
}  // namespace harness
