// The cases of level standard must see faults that nobody has listed and no case was made for.
#include "properties/faults/unlisted_faults.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "harness/run/judge.hpp"

namespace properties {
namespace {

std::vector<Fault> all_faults() {
  std::vector<Fault> faults = arithmetic_faults();
  for (const auto more : {layout_faults, gather_faults, blind_faults}) {
    for (Fault& fault : more()) faults.push_back(std::move(fault));
  }
  return faults;
}

class UnlistedFaults : public ::testing::TestWithParam<Fault> {};

TEST_P(UnlistedFaults, DieAtLevelStandard) {
  const Fault& fault = GetParam();
  const harness::Operation& operation = *harness::operation_named(fault.operation);
  Spoiled implementation(operation, fault);
  // The first that sees it is enough: cases of many pages come last.
  for (const harness::Case& each : operation.cases(harness::Level::standard, 1)) {
    auto prepared = harness::PreparedCase::make(operation, each, oracle::profiles::ocp());
    ASSERT_TRUE(prepared) << prepared.error().message;
    const harness::CaseRecord record =
        harness::judge(operation, oracle::profiles::ocp(), *prepared, implementation);
    ASSERT_NE(record.verdict, harness::Verdict::error) << each.id << ": " << record.reason;
    if (record.verdict == harness::Verdict::pass) continue;
    RecordProperty("first", each.id);
    return;
  }
  ADD_FAILURE() << "survives";
}

INSTANTIATE_TEST_SUITE_P(All, UnlistedFaults, ::testing::ValuesIn(all_faults()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

// The spoiling itself changes nothing where there is no fault.
TEST(Spoiled, ChangesNothingWithoutAFault) {
  const Fault none{"none", nvfp4, {}, [](const harness::Problem&, Spoilable&) {}, {}, {}};
  const harness::Operation& operation = *harness::operation_named(nvfp4);
  Spoiled implementation(operation, none);
  for (const harness::Case& each : operation.cases(harness::Level::smoke, 1)) {
    auto prepared = harness::PreparedCase::make(operation, each, oracle::profiles::ocp());
    ASSERT_TRUE(prepared);
    EXPECT_EQ(harness::judge(operation, oracle::profiles::ocp(), *prepared, implementation).verdict,
              harness::Verdict::pass);
  }
}

}  // namespace
}  // namespace properties
