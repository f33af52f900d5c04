#include "harness/run/shrink.hpp"

#include <gtest/gtest.h>

#include "harness/fakes/fake_implementation.hpp"
#include "harness/fakes/fake_operation.hpp"
#include "harness/fakes/wrong_from.hpp"
#include "harness/run/judge.hpp"

namespace harness {
namespace {

class ShrinkTest : public ::testing::Test {
 protected:
  static Case case_of(int bytes) {
    Case made;
    made.operation = "doubling";
    made.id = "doubling/made";
    made.spec = {{"bytes", bytes}, {"tail", 3}, {"calls", 1}, {"seed", 0}};
    return made;
  }

  Shrunk shrink_from(int bytes, Implementation& implementation, double seconds = 60) {
    const Case from = case_of(bytes);
    PreparedCase prepared = PreparedCase::make(operation_, from, oracle::profiles::ocp()).value();
    CaseRecord record = judge(operation_, oracle::profiles::ocp(), prepared, implementation);
    EXPECT_NE(record.verdict, Verdict::pass);
    return shrink(operation_, oracle::profiles::ocp(), implementation, from, std::move(record),
                  {seconds, &interrupted_});
  }

  fakes::FakeOperation operation_;
  std::atomic<bool> interrupted_ = false;
};

TEST_F(ShrinkTest, EndsAtTheSmallestThatFails) {
  for (const int least : {1, 2, 7, 64, 99}) {
    fakes::WrongFrom implementation(least);
    const Shrunk shrunk = shrink_from(99, implementation);
    EXPECT_EQ(shrunk.spec["bytes"], least);
    EXPECT_EQ(shrunk.spec["tail"], 3) << "nothing proposed another tail";
    EXPECT_TRUE(shrunk.smallest);
    EXPECT_EQ(shrunk.record.verdict, Verdict::mismatch);
    EXPECT_EQ(shrunk.record.diagnosis.mismatches, 1U);
  }
}

// A case that breaks in another way is another finding.
TEST_F(ShrinkTest, KeepsTheVerdict) {
  fakes::WrongFrom implementation(10);
  implementation.break_below(20);
  const Shrunk shrunk = shrink_from(80, implementation);
  EXPECT_EQ(shrunk.spec["bytes"], 20);
  EXPECT_EQ(shrunk.record.verdict, Verdict::mismatch);
}

TEST_F(ShrinkTest, ErrorsShrinkToo) {
  fakes::WrongFrom implementation(1000);
  implementation.break_from(5);
  const Shrunk shrunk = shrink_from(80, implementation);
  EXPECT_EQ(shrunk.spec["bytes"], 5);
  EXPECT_EQ(shrunk.record.verdict, Verdict::error);
}

TEST_F(ShrinkTest, EndsWithItsBudget) {
  fakes::WrongFrom implementation(1);
  const Shrunk shrunk = shrink_from(80, implementation, 0);
  EXPECT_EQ(shrunk.spec["bytes"], 80);
  EXPECT_EQ(shrunk.tried, 0U);
  EXPECT_FALSE(shrunk.smallest);
}

TEST_F(ShrinkTest, EndsWhenInterrupted) {
  fakes::WrongFrom implementation(1);
  interrupted_ = true;
  EXPECT_FALSE(shrink_from(80, implementation).smallest);
}

}  // namespace
}  // namespace harness
