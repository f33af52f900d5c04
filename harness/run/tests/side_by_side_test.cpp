// GPUs of one machine work side by side: in about the time of one, and with records as if they had
// worked one after the other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "harness/fakes/fake_implementation.hpp"
#include "harness/fakes/fake_operation.hpp"
#include "harness/model/elapsed.hpp"
#include "harness/run/run.hpp"
#include "harness/run/tests/large_operation.hpp"

namespace harness {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Another implementation, on a device of its own, that takes its time.
class Board final : public Implementation {
 public:
  Board(const std::string& behaviour, const std::string& path, const std::string& device,
        std::chrono::milliseconds time, std::atomic<int>& at_work, std::atomic<int>& most_at_work)
      : inner_(fakes::fake_implementation(behaviour, device)),
        time_(time),
        at_work_(at_work),
        most_at_work_(most_at_work) {
    info_ = inner_->info();
    info_.path = path;
  }
  Result<Execution> execute(const Problem& problem) override {
    const int now = ++at_work_;
    int most = most_at_work_;
    while (most < now && !most_at_work_.compare_exchange_weak(most, now)) {
    }
    std::this_thread::sleep_for(time_);
    Result<Execution> execution = inner_->execute(problem);
    --at_work_;
    return execution;
  }

 private:
  std::unique_ptr<Implementation> inner_;
  std::chrono::milliseconds time_;
  std::atomic<int>& at_work_;
  std::atomic<int>& most_at_work_;
};

class SideBySideTest : public ::testing::Test {
 protected:
  void board(const std::string& device, const std::string& behaviour = "right",
             const std::string& path = "a") {
    implementations_.push_back(
        std::make_unique<Board>(behaviour, path, device, time_, at_work_, most_at_work_));
  }

  EndRecord run() {
    std::vector<ImplementationInfo> infos;
    for (const auto& each : implementations_) infos.push_back(each->info());
    Selection selection;
    selection.level = Level::full;
    const Result<Plan> plan = make_plan(operations_, infos, selection);
    EXPECT_TRUE(plan);
    plan_sha256_ = plan->sha256;
    RunInputs inputs;
    inputs.operations = operations_;
    inputs.implementations = implementations_;
    inputs.plan = &*plan;
    inputs.header.selection = selection;
    inputs.header.plan_planned = inputs.header.plan_total = plan->total;
    for (const std::size_t used : plan->implementations) {
      inputs.header.implementations.push_back(infos[used]);
    }
    inputs.done_before = done_before_;
    inputs.interrupted = &interrupted_;
    inputs.memory_room = memory_room_;
    cases_.clear();
    RunObserver observer;
    observer.write = [](const nlohmann::ordered_json&) -> Status { return {}; };
    observer.case_done = [&](const CaseRecord& record) {
      cases_.push_back(record);
      if (cases_.size() == interrupt_after_) interrupted_ = true;
    };
    const auto start = std::chrono::steady_clock::now();
    const Result<EndRecord> end = run_plan(inputs, observer);
    seconds_ = seconds_since(start);
    EXPECT_TRUE(end);
    return end.value_or(EndRecord{});
  }

  fakes::FakeOperation operation_;
  std::array<const Operation*, 1> operations_{&operation_};
  std::vector<std::unique_ptr<Implementation>> implementations_;
  std::chrono::milliseconds time_{0};
  std::atomic<int> at_work_{0};
  std::atomic<int> most_at_work_{0};
  std::atomic<bool> interrupted_{false};
  std::size_t interrupt_after_ = SIZE_MAX;
  std::function<MemoryRoom()> memory_room_;
  std::vector<CaseRecord> done_before_;
  std::vector<CaseRecord> cases_;
  std::string plan_sha256_;
  double seconds_ = 0;
};

TEST_F(SideBySideTest, EightBoardsTakeAboutTheTimeOfOne) {
  time_ = std::chrono::milliseconds(30);
  board("cuda:0");
  EXPECT_EQ(run().verdict, RunVerdict::conforms);
  const double of_one = seconds_;
  for (int i = 1; i < 8; ++i) board("cuda:" + std::to_string(i));
  const EndRecord end = run();
  EXPECT_EQ(end.verdict, RunVerdict::conforms);
  EXPECT_EQ(end.rows.size(), 8U);
  EXPECT_EQ(most_at_work_, 8);
  EXPECT_LT(seconds_, 3 * of_one);  // one after the other they take eight times as long
}

TEST_F(SideBySideTest, RecordsComeInTheOrderOfThePlan) {
  time_ = std::chrono::milliseconds(2);
  board("cpu");
  for (const char* const device : {"cuda:0", "cuda:1", "hip:0"}) {
    board(device, "right", "a");
    board(device, "right", "b");
  }
  run();
  ASSERT_FALSE(cases_.empty());
  EXPECT_EQ(cases_.size() % 7, 0U);
  for (std::size_t i = 0; i < cases_.size(); ++i) EXPECT_EQ(cases_[i].index, i);
  EXPECT_EQ(most_at_work_, 3);  // and nobody beside the CPU
}

TEST_F(SideBySideTest, EachBoardHasItsOwnVerdict) {
  board("cuda:0", "right");
  board("cuda:1", "writes_nothing");
  board("cuda:2", "answers_differently");
  board("cuda:3", "fails");
  board("cuda:4", "right");
  const EndRecord end = run();
  EXPECT_EQ(end.verdict, RunVerdict::mismatch);
  ASSERT_EQ(end.rows.size(), 5U);
  for (const std::size_t right : {0U, 4U}) {
    EXPECT_EQ(end.rows[right].passed, end.rows[right].planned) << right;
  }
  EXPECT_EQ(end.rows[1].mismatches, end.rows[1].planned);
  EXPECT_GT(end.rows[2].mismatches, 0U);
  EXPECT_EQ(end.rows[3].errors, end.rows[3].planned);
}

TEST_F(SideBySideTest, AnInterruptedRunGoesOnWhereItWas) {
  for (const char* const device : {"cuda:0", "cuda:1", "cuda:2"}) board(device);
  run();
  const std::vector<CaseRecord> whole = cases_;
  interrupt_after_ = 4;
  EXPECT_TRUE(run().interrupted);
  std::vector<CaseRecord> first = cases_;
  ASSERT_GE(first.size(), 4U);
  ASSERT_LT(first.size(), whole.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].index, i);
  interrupted_ = false;
  interrupt_after_ = SIZE_MAX;
  done_before_ = first;
  done_before_.resize(4);  // killed in the middle of a case
  const EndRecord end = run();
  EXPECT_EQ(end.verdict, RunVerdict::conforms);
  ASSERT_EQ(cases_.size() + 4, whole.size());
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    EXPECT_EQ(cases_[i].key(), whole[i + 4].key());
    EXPECT_EQ(cases_[i].output_sha256, whole[i + 4].output_sha256);
  }
}

TEST_F(SideBySideTest, WhereMemoryIsForOneBoardTheyTakeTurns) {
  const LargeOperation large(std::uint64_t{1} << 30, {0, 1, 2, 3});
  operations_ = {&large};
  time_ = std::chrono::milliseconds(5);
  for (const char* const device : {"cuda:0", "cuda:1", "cuda:2", "cuda:3"}) board(device);
  const auto most_at_work = [&](std::uint64_t gibibytes) {
    memory_room_ = [=] { return MemoryRoom{gibibytes << 30, "this machine"}; };
    most_at_work_ = 0;
    const EndRecord end = run();
    EXPECT_EQ(end.verdict, RunVerdict::conforms);
    EXPECT_EQ(end.executed, end.planned);
    return most_at_work_.load();
  };
  EXPECT_EQ(most_at_work(8), 1);
  EXPECT_EQ(most_at_work(64), 4);
}

}  // namespace
}  // namespace harness
