// Plans: the same on every machine, and cut into shards without loss or overlap.
#include "harness/results/verdict/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "harness/fakes/fake_operation.hpp"
#include "harness/run/shard.hpp"

namespace harness {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class PlanTest : public ::testing::Test {
 protected:
  Result<Plan> plan(const Selection& selection) const {
    return make_plan(operations_, implementations_, selection);
  }
  static Selection at(Level level) {
    Selection selection;
    selection.level = level;
    selection.devices = {"all"};
    return selection;
  }
  static ImplementationInfo info(const std::string& operation, const std::string& path,
                                 const std::string& device, const std::string& unavailable = "") {
    ImplementationInfo made;
    made.operation = operation;
    made.path = path;
    made.device = device;
    made.unavailable = unavailable;
    return made;
  }
  static std::vector<std::string> keys(const Plan& plan) {
    std::vector<std::string> keys;
    for (const PlannedCase& planned : plan.planned) keys.push_back(planned.key);
    return keys;
  }

  fakes::FakeOperation doubling_{"doubling"};
  fakes::FakeOperation second_{"second"};
  std::array<const Operation*, 2> operations_{&doubling_, &second_};
  std::vector<ImplementationInfo> implementations_{
      info("doubling", "fp32", "cpu"), info("doubling", "table", "cpu"),
      info("doubling", "qmul4", "cpu", "needs another chip"), info("doubling", "fp32", "cuda:0"),
      info("second", "fp32", "cpu")};
};

TEST_F(PlanTest, GoesCaseByCaseInTheOrderOfTheSuite) {
  const auto smoke = plan(at(Level::smoke));
  ASSERT_TRUE(smoke) << smoke.error().message;
  EXPECT_THAT(keys(*smoke), ElementsAre("doubling/one fp32 cpu", "doubling/one table cpu",
                                        "doubling/one fp32 cuda:0", "second/one fp32 cpu"));
  EXPECT_EQ(smoke->total, 4u);
  ASSERT_THAT(smoke->not_run, SizeIs(1));
  EXPECT_EQ(smoke->not_run[0].reason, "needs another chip");
  EXPECT_FALSE(smoke->not_run[0].requested);
  EXPECT_EQ(plan(at(Level::full))->total, 16u);
}

TEST_F(PlanTest, SameSelectionSamePlanAndDigest) {
  const auto first = plan(at(Level::full));
  const auto again = plan(at(Level::full));
  ASSERT_TRUE(first && again);
  EXPECT_EQ(keys(*first), keys(*again));
  EXPECT_EQ(first->sha256, again->sha256);
  Selection seeded = at(Level::full);
  seeded.seed = 1;  // the same cases by name, of other content
  const auto other = plan(seeded);
  ASSERT_TRUE(other);
  EXPECT_EQ(keys(*first), keys(*other));
  EXPECT_NE(first->sha256, other->sha256);
}

TEST_F(PlanTest, ShardsAreAPartition) {
  const auto whole = plan(at(Level::full));
  ASSERT_TRUE(whole);
  for (const std::uint64_t count : {1u, 2u, 3u, 5u, 16u, 40u}) {
    std::map<std::uint64_t, std::string> joined;
    for (std::uint64_t index = 0; index < count; ++index) {
      Selection part = at(Level::full);
      part.shard = {index, count};
      const auto shard = plan(part);
      ASSERT_TRUE(shard) << shard.error().message;
      EXPECT_EQ(shard->sha256, whole->sha256);
      EXPECT_EQ(shard->total, whole->total);
      for (const PlannedCase& planned : shard->planned) {
        EXPECT_TRUE(joined.emplace(planned.index, planned.key).second) << planned.key;
      }
    }
    ASSERT_EQ(joined.size(), whole->total);
    for (const PlannedCase& planned : whole->planned) {
      EXPECT_EQ(joined[planned.index], planned.key);
    }
  }
}

TEST_F(PlanTest, FiltersAreGlobsOnTheWholeId) {
  Selection selection = at(Level::full);
  selection.filters = {"doubling/*", "nothing/*"};
  selection.excludes = {"*/large", "*calls"};
  selection.paths = {"f*"};
  const auto made = plan(selection);
  ASSERT_TRUE(made);
  EXPECT_THAT(keys(*made),
              ElementsAre("doubling/one fp32 cpu", "doubling/one fp32 cuda:0",
                          "doubling/no_tail fp32 cpu", "doubling/no_tail fp32 cuda:0"));
  EXPECT_THAT(made->not_run, SizeIs(0));  // its path was not selected
  selection.filters = {"doubling"};
  EXPECT_EQ(plan(selection)->total, 0u);
}

TEST_F(PlanTest, UnknownNamesAreErrorsWithTheChoices) {
  const std::set<std::string> paths{"fp32", "qmul4", "table"};
  Selection selection = at(Level::smoke);
  selection.paths = {"fp32", "fp31"};
  auto status = check_selection(operations_, paths, selection);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "no path is named 'fp31'; there are: fp32, qmul4, table; did you mean fp32?");
  selection.paths = {"fp3[12]", "x*"};  // globs may match nothing: the plan is empty then
  EXPECT_TRUE(check_selection(operations_, paths, selection));
  selection.operations = {"tripling"};
  status = check_selection(operations_, paths, selection);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "no operation is named 'tripling'; there are: doubling, second");
}

TEST_F(PlanTest, NameThatIsNowhereAvailableIsRequestedInVain) {
  Selection selection = at(Level::smoke);
  selection.paths = {"fp32", "qmul4"};
  const auto by_path = plan(selection);
  ASSERT_TRUE(by_path);
  ASSERT_THAT(by_path->not_run, SizeIs(1));
  EXPECT_TRUE(by_path->not_run[0].requested);
  selection.paths = {"*"};
  EXPECT_FALSE(plan(selection)->not_run[0].requested);
  // What one device lacks and another has was not asked for in vain.
  implementations_.push_back(info("doubling", "qmul4", "cuda:0"));
  selection.paths = {"qmul4"};
  const auto elsewhere = plan(selection);
  ASSERT_TRUE(elsewhere);
  ASSERT_THAT(elsewhere->not_run, SizeIs(1));
  EXPECT_FALSE(elsewhere->not_run[0].requested);
  // Unless that device was asked for by name.
  selection.devices = {"cpu", "cuda:0"};
  EXPECT_TRUE(plan(selection)->not_run[0].requested);
}

TEST_F(PlanTest, TwoOfOneNameAreAnError) {
  implementations_.push_back(info("doubling", "fp32", "cpu"));
  const auto twice = plan(at(Level::smoke));
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.error().message, HasSubstr("'doubling fp32 cpu'"));
}

TEST(ShardTest, ReadsIndexAndCount) {
  EXPECT_EQ(*parse_shard("0/1"), (Shard{0, 1}));
  EXPECT_EQ(*parse_shard("3/4"), (Shard{3, 4}));
  for (const char* wrong : {"", "4/4", "1", "1/", "/2", "-1/2", "1/2/3", "a/b", "0/0", "1 /2"}) {
    const auto shard = parse_shard(wrong);
    ASSERT_FALSE(shard) << wrong;
    EXPECT_THAT(shard.error().message, HasSubstr("0/4 to 3/4")) << wrong;
  }
}

std::map<std::string, std::string> environment;
const char* variable(const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() ? nullptr : found->second.c_str();
}

TEST(ShardTest, ReadsSchedulersVariables) {
  environment = {};
  EXPECT_EQ(*shard_of_environment(variable), (Shard{0, 1}));
  environment = {{"SLURM_ARRAY_TASK_ID", "3"}, {"SLURM_ARRAY_TASK_COUNT", "4"}};
  EXPECT_EQ(*shard_of_environment(variable), (Shard{3, 4}));
  environment["SLURM_ARRAY_TASK_MIN"] = "1";
  EXPECT_EQ(*shard_of_environment(variable), (Shard{2, 4}));
  environment = {{"JOB_COMPLETION_INDEX", "5"}, {"FP4CTS_SHARD_COUNT", "8"}};
  EXPECT_EQ(*shard_of_environment(variable), (Shard{5, 8}));
}

TEST(ShardTest, RefusesHalfAnEnvironment) {
  environment = {{"SLURM_ARRAY_TASK_ID", "3"}};
  EXPECT_FALSE(shard_of_environment(variable));
  environment = {{"JOB_COMPLETION_INDEX", "5"}};
  const auto shard = shard_of_environment(variable);
  ASSERT_FALSE(shard);
  EXPECT_THAT(shard.error().message, HasSubstr("FP4CTS_SHARD_COUNT is not set"));
  environment = {{"JOB_COMPLETION_INDEX", "8"}, {"FP4CTS_SHARD_COUNT", "8"}};
  EXPECT_FALSE(shard_of_environment(variable));
  environment = {{"SLURM_ARRAY_TASK_ID", "9"}, {"SLURM_ARRAY_TASK_COUNT", "4"}};
  EXPECT_FALSE(shard_of_environment(variable));
}

}  // namespace
}  // namespace harness
