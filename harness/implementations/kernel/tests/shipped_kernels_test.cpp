// The kernels in the box, in their host form, against the oracle: the bytes of every case of level
// standard, and nothing written beside them.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/implementations/devices/device.hpp"
#include "harness/implementations/kernel/kernel_implementation.hpp"
#include "harness/model/operation.hpp"
#include "kernels/module.hpp"

namespace harness {
namespace {

std::vector<kernels::Entry> host_entries() {
  std::vector<kernels::Entry> entries;
  for (const kernels::Entry& entry : kernels::shipped_entries()) {
    if (entry.host != nullptr) entries.push_back(entry);
  }
  return entries;
}

class ShippedKernels : public ::testing::TestWithParam<kernels::Entry> {};

TEST_P(ShippedKernels, GiveTheOraclesBytes) {
  const std::unique_ptr<Device> device = open_device("cpu").value();
  auto made = builtin_implementations(*device, all_operations(), {{&GetParam(), 1}, {}});
  ASSERT_TRUE(made) << made.error().message;
  Implementation& implementation = *made->front();
  const Operation& operation = *operation_named(implementation.info().operation);
  const auto declared = std::find_if(
      oracle::profiles::shipped().begin(), oracle::profiles::shipped().end(),
      [&](const oracle::Profile* each) { return each->name == implementation.info().profile; });
  ASSERT_NE(declared, oracle::profiles::shipped().end()) << implementation.info().profile;
  const oracle::Profile* profile = *declared;
  for (const Case& each : operation.cases(Level::standard, 1)) {
    const auto problems = operation.build(each.spec);
    ASSERT_TRUE(problems) << each.id << ": " << problems.error().message;
    for (std::size_t call = 0; call < problems->size(); ++call) {
      const Problem& problem = (*problems)[call];
      const auto execution = implementation.execute(problem);
      ASSERT_TRUE(execution) << each.id << ": " << execution.error().message;
      EXPECT_TRUE(execution->trespasses.empty()) << each.id;
      const auto expected = operation.expected(problem, *profile);
      ASSERT_TRUE(expected) << each.id << ": " << expected.error().message;
      if (execution->outputs == *expected) continue;
      const Diagnosis diagnosis = operation.diagnose(std::span(*problems).first(call + 1), *profile,
                                                     *expected, execution->outputs);
      ADD_FAILURE() << each.id << ": " << diagnosis.explanation << "\n"
                    << (diagnosis.first.empty() ? "" : diagnosis.first.front().text);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ShippedKernels, ::testing::ValuesIn(host_entries()),
                         [](const ::testing::TestParamInfo<kernels::Entry>& parameter) {
                           return std::string(parameter.param.name);
                         });

}  // namespace
}  // namespace harness
