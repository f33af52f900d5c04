// The kernels in the box that are wrong on purpose: the cases must see each of them, and the
// diagnosis must name its class. They share no code with the fault models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/diagnosis/fault_classes.hpp"
#include "harness/implementations/devices/device.hpp"
#include "harness/implementations/kernel/kernel_implementation.hpp"
#include "harness/model/operation.hpp"
#include "kernels/module.hpp"

namespace harness {
namespace {

// "enc_truncates_2" is a variant of enc_truncates.
std::string class_of(std::string_view path) {
  std::string name(path);
  const std::size_t end = name.find_last_not_of("0123456789");
  if (fault_class_named(name) == nullptr && end != std::string::npos && name[end] == '_') {
    name.resize(end);
  }
  return name;
}

// What the cases of level standard see of an implementation: for each that fails, the classes that
// fit, and a line.
struct Seen {
  std::vector<std::vector<std::string>> candidates;
  std::string lines;
};

constexpr std::size_t enough = 12;  // failing cases, of each kernel

Seen run_cases(const Operation& operation, Implementation& implementation) {
  Seen seen;
  const auto note = [&](const Case& each, std::vector<std::string> classes,
                        const std::string& text) {
    seen.lines += "  " + each.id + ": " + text + "\n";
    seen.candidates.push_back(std::move(classes));
  };
  for (const Case& each : operation.cases(Level::standard, 1)) {
    // Where the call before matters, in any event.
    const bool calls = std::find(each.tags.begin(), each.tags.end(), "calls") != each.tags.end();
    if (seen.candidates.size() >= enough && !calls) continue;
    const std::vector<Problem> problems = operation.build(each.spec).value();
    for (std::size_t call = 0; call < problems.size(); ++call) {
      const auto execution = implementation.execute(problems[call]);
      if (!execution) {
        note(each, fault_classes_in(execution.error().message), execution.error().message);
        break;
      }
      const Outputs expected = operation.expected(problems[call], oracle::profiles::ocp()).value();
      if (execution->outputs == expected) continue;
      const Diagnosis diagnosis =
          operation.diagnose(std::span(problems).first(call + 1), oracle::profiles::ocp(), expected,
                             execution->outputs);
      EXPECT_GT(diagnosis.mismatches, 0U);
      EXPECT_FALSE(diagnosis.first.empty());
      EXPECT_FALSE(diagnosis.explanation.empty()) << each.id;
      std::vector<std::string> classes = diagnosis.same_bytes_classes;
      if (!diagnosis.fault_class.empty()) classes.insert(classes.begin(), diagnosis.fault_class);
      note(each, std::move(classes), diagnosis.explanation);
      break;
    }
  }
  return seen;
}

class FaultyKernels : public ::testing::TestWithParam<std::size_t> {};

TEST_P(FaultyKernels, DiesAndIsNamed) {
  const std::unique_ptr<Device> device = open_device("cpu").value();
  const std::span<const kernels::Entry> entry = kernels::faulty_entries().subspan(GetParam(), 1);
  auto made = builtin_implementations(*device, all_operations(), {entry, {}});
  ASSERT_TRUE(made) << made.error().message;
  Implementation& implementation = *made->front();
  const std::string fault_class = class_of(implementation.info().path);
  ASSERT_NE(fault_class_named(fault_class), nullptr) << fault_class;
  if (entry.front().host == nullptr) GTEST_SKIP() << implementation.info().unavailable;

  const Seen seen = run_cases(*operation_named(implementation.info().operation), implementation);
  EXPECT_FALSE(seen.candidates.empty()) << "survives level standard";
  EXPECT_EQ(joint_fault_class(seen.candidates), fault_class) << seen.lines;
}

INSTANTIATE_TEST_SUITE_P(All, FaultyKernels,
                         ::testing::Range(std::size_t{0}, kernels::faulty_entries().size()),
                         [](const ::testing::TestParamInfo<std::size_t>& parameter) {
                           return std::string(kernels::faulty_entries()[parameter.param].name);
                         });

}  // namespace
}  // namespace harness
