#include "harness/run/fuzz.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "harness/fakes/fake_implementation.hpp"
#include "harness/fakes/fake_operation.hpp"
#include "harness/fakes/wrong_from.hpp"
#include "harness/files/tests/temporary_folder.hpp"

namespace harness {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Answers rightly, and remembers what it was asked.
class Recorder final : public Implementation {
 public:
  explicit Recorder(std::vector<std::size_t>& sizes) : sizes_(sizes) {
    info_.operation = "doubling";
    info_.path = "recorder";
    info_.device = "cpu";
  }
  Result<Execution> execute(const Problem& problem) override {
    sizes_.push_back(problem.find("in")->storage.size());
    return fakes::WrongFrom(1000).execute(problem);
  }

 private:
  std::vector<std::size_t>& sizes_;
};

class FuzzTest : public ::testing::Test {
 protected:
  FuzzTest() {
    inputs_.operations = operations_;
    inputs_.max_cases = 40;
    inputs_.seconds = 600;
    inputs_.seed = 3;
    inputs_.threads = 2;
    inputs_.interrupted = &interrupted_;
  }

  template <class T, class... Arguments>
  T& use(Arguments&&... arguments) {
    implementations_.push_back(std::make_unique<T>(std::forward<Arguments>(arguments)...));
    return static_cast<T&>(*implementations_.back());
  }

  FuzzSummary run() {
    inputs_.implementations = implementations_;
    failures_.clear();
    const auto summary =
        fuzz(inputs_, {[&](const FuzzFailure& failure) { failures_.push_back(failure); },
                       [&](const FuzzProgress& progress) {
                         if (progress.cases == interrupt_after_) interrupted_ = true;
                       }});
    EXPECT_TRUE(summary) << summary.error().message;
    return summary.value_or(FuzzSummary{});
  }

  fakes::FakeOperation operation_;
  std::array<const Operation*, 1> operations_{&operation_};
  std::vector<std::unique_ptr<Implementation>> implementations_;
  std::atomic<bool> interrupted_ = false;
  std::uint64_t interrupt_after_ = 0;
  FuzzInputs inputs_;
  std::vector<FuzzFailure> failures_;
};

TEST_F(FuzzTest, FindsNothingInARightImplementation) {
  use<fakes::WrongFrom>(1000);
  const FuzzSummary summary = run();
  EXPECT_THAT(failures_, IsEmpty());
  EXPECT_EQ(summary.total.cases, 40U);
  EXPECT_EQ(summary.total.judged, 40U);
  ASSERT_THAT(summary.rows, SizeIs(1));
  EXPECT_EQ(summary.rows[0].judged, 40U);
  EXPECT_THAT(summary.rows[0].missing_bins, ElementsAre("calls/3"));
}

TEST_F(FuzzTest, TheSameSeedMakesTheSameCases) {
  std::vector<std::size_t> first;
  std::vector<std::size_t> second;
  std::vector<std::size_t> other;
  use<Recorder>(first);
  run();
  implementations_.clear();
  use<Recorder>(second);
  inputs_.threads = 7;
  run();
  implementations_.clear();
  use<Recorder>(other);
  inputs_.seed = 4;
  run();
  EXPECT_THAT(first, SizeIs(80)) << "each case is judged twice";
  EXPECT_EQ(first, second);
  EXPECT_NE(first, other);
}

TEST_F(FuzzTest, AFailureIsReportedOnceAndSmall) {
  use<fakes::WrongFrom>(10);
  const FuzzSummary summary = run();
  ASSERT_THAT(failures_, SizeIs(1)) << "all failures are of one kind";
  EXPECT_EQ(failures_[0].spec["bytes"], 10);
  EXPECT_TRUE(failures_[0].smallest);
  EXPECT_THAT(failures_[0].found_by, HasSubstr("doubling/fuzz_3_"));
  EXPECT_EQ(failures_[0].record.case_id, saved_case_id("doubling", failures_[0].spec));
  EXPECT_GT(summary.rows[0].mismatches, 20U) << "most random cases have more than 10 bytes";
  EXPECT_EQ(summary.mismatches(), summary.total.failures);
  EXPECT_EQ(summary.rows[0].kinds, 1U);
}

TEST_F(FuzzTest, KindsAreToldApart) {
  use<fakes::WrongFrom>(10).break_from(50);
  const FuzzSummary summary = run();
  ASSERT_THAT(failures_, SizeIs(2));
  EXPECT_EQ(summary.rows[0].kinds, 2U);
  EXPECT_GT(summary.errors(), 0U);
  EXPECT_GT(summary.mismatches(), 0U);
}

TEST_F(FuzzTest, EveryImplementationIsGivenEveryCase) {
  use<fakes::WrongFrom>(10);
  use<fakes::WrongFrom>(1000);
  const FuzzSummary summary = run();
  EXPECT_EQ(summary.rows[0].judged, 40U);
  EXPECT_EQ(summary.rows[1].judged, 40U);
  EXPECT_EQ(summary.rows[1].mismatches, 0U);
}

TEST_F(FuzzTest, FailuresAreReplayedFirst) {
  const TemporaryFolder folder;
  inputs_.failures = folder.path();
  auto& implementation = use<fakes::WrongFrom>(10);
  run();
  ASSERT_THAT(failures_, SizeIs(1));
  const FuzzFailure found = failures_[0];
  EXPECT_THAT(found.record.reproduce, HasSubstr("--replay " + found.file.string()));
  const std::vector<SavedFailure> saved = read_saved_failures(folder.path(), operations_).value();
  ASSERT_THAT(saved, SizeIs(1));

  inputs_.saved = saved;
  inputs_.seconds = 0;  // no random cases
  implementation.calls = 0;
  const FuzzSummary again = run();
  EXPECT_EQ(implementation.calls, 2U) << "one case, judged twice";
  EXPECT_EQ(again.replayed, 1U);
  EXPECT_EQ(again.still_fail, 1U);
  ASSERT_THAT(failures_, SizeIs(1));
  EXPECT_EQ(failures_[0].spec, found.spec);
  EXPECT_EQ(failures_[0].found_by, found.file.string());

  implementations_.clear();
  use<fakes::WrongFrom>(1000);
  EXPECT_EQ(run().still_fail, 0U) << "it is right now";
}

TEST_F(FuzzTest, SlowErrorsAreGivenUp) {
  use<fakes::WrongFrom>(1000).break_from(0);
  inputs_.slow_error_seconds = 0;
  const FuzzSummary summary = run();
  EXPECT_EQ(summary.rows[0].judged, 3U);
  EXPECT_EQ(summary.total.cases, 3U) << "nobody is left to judge";
  EXPECT_THAT(summary.rows[0].given_up, HasSubstr("given up: 3 cases"));
}

TEST_F(FuzzTest, WithoutAFileTheNumberOfCasesReproduces) {
  use<fakes::WrongFrom>(10);
  run();
  ASSERT_THAT(failures_, SizeIs(1));
  const std::string& id = failures_[0].found_by;  // doubling/fuzz_3_<number>
  const auto number = std::stoul(id.substr(id.rfind('_') + 1));
  EXPECT_EQ(failures_[0].record.reproduce,
            "fp4cts fuzz --seed 3 --cases " + std::to_string(number + 1) +
                " --time 600s --op doubling --device cpu --path wrong_from");
}

TEST_F(FuzzTest, FailuresOfOtherOperationsAreCounted) {
  const TemporaryFolder folder;
  inputs_.failures = folder.path();
  use<fakes::WrongFrom>(10);
  run();
  const std::vector<SavedFailure> saved = read_saved_failures(folder.path(), operations_).value();
  inputs_.saved = saved;
  inputs_.seconds = 0;
  implementations_.clear();
  EXPECT_EQ(run().not_replayed, 1U);
}

TEST_F(FuzzTest, EndsWhenInterrupted) {
  use<fakes::WrongFrom>(1000);
  interrupt_after_ = 5;
  const FuzzSummary summary = run();
  EXPECT_EQ(summary.total.cases, 5U);
  EXPECT_TRUE(summary.interrupted);
}

TEST_F(FuzzTest, UnknownProfilesAreAnError) {
  use<fakes::WrongFrom>(1000);
  inputs_.profile = "none";
  inputs_.implementations = implementations_;
  const auto summary = fuzz(inputs_, {});
  ASSERT_FALSE(summary);
  EXPECT_THAT(summary.error().message, HasSubstr("none"));
}

}  // namespace
}  // namespace harness
