#include "properties/laws/law.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "properties/generators/case_specs.hpp"

namespace properties {
namespace {

using harness::Operation;
using harness::Problem;

// RapidCheck's own number of cases is for laws on numbers; a page has 16,384 of them.
class FewerCases : public ::testing::Environment {
 public:
  void SetUp() override { ::setenv("RC_PARAMS", "max_success=25", 0); }
};
[[maybe_unused]] const auto* const fewer_cases =
    ::testing::AddGlobalTestEnvironment(new FewerCases);

// How often the cases met each edge that an operation requires, whatever the destination: of
// "into/F32/edge/overflow" and "into/BF16/edge/overflow" the sum is that of "edge/overflow". A law
// that is about some destinations alone has no cases of the others, and owes none of their edges.
std::map<std::string, std::uint64_t> edges_met(const Operation& operation,
                                               const harness::Coverage& reached) {
  std::map<std::string, std::map<std::string, std::uint64_t>> by_destination;
  for (const std::string& bin : operation.required_bins()) {
    const auto edge = bin.find("edge/");
    if (edge == std::string::npos) continue;
    const auto found = reached.bins().find(bin);
    by_destination[bin.substr(0, edge)][bin.substr(edge)] =
        found == reached.bins().end() ? 0 : found->second;
  }
  std::map<std::string, std::uint64_t> met;
  for (const auto& [destination, edges] : by_destination) {
    const bool any =
        std::any_of(edges.begin(), edges.end(), [](const auto& each) { return each.second != 0; });
    if (!any && by_destination.size() > 1) continue;
    for (const auto& [edge, times] : edges) met[edge] += times;
  }
  return met;
}

// Each edge is met by most cases.
void check_edges(const Operation& operation, const harness::Coverage& reached,
                 std::uint64_t cases) {
  std::string text;
  const auto met = edges_met(operation, reached);
  EXPECT_FALSE(met.empty()) << operation.name() << ": no case met any edge";
  for (const auto& [edge, times] : met) {
    EXPECT_GT(times, 0U) << operation.name() << ": no case met " << edge;
    text += fmt::format(" {} {}", edge, times);
  }
  fmt::print("{}: {} cases, {} of 4096 pairs;{}\n", operation.name(), cases, reached.pairs_hit(),
             text);
}

void check_law_of(const Operation& operation, const Law& law, int rounds = 1) {
  harness::Coverage reached;
  std::uint64_t cases = 0;
  for (const Subject& subject : subjects_of(operation.name())) {
    SCOPED_TRACE(fmt::format("{}: {}", operation.name(), subject.name));
    const UnderTest run(subject);
    rc::detail::checkGTest([&] {
      for (int round = 0; round < rounds; ++round) {
        const nlohmann::json spec = *any_spec(operation);
        const auto calls = operation.build(spec);
        if (!calls) RC_FAIL(calls.error().message);
        law(run, calls->front());
        // What it discarded does not count.
        operation.cover(calls->front(), reached);
        ++cases;
      }
    });
  }
  check_edges(operation, reached, cases);
}

}  // namespace

std::vector<std::uint8_t> UnderTest::operator()(const Problem& problem) const {
  auto outputs = subject_.run(problem);
  if (!outputs) RC_FAIL(subject_.name + ": " + outputs.error().message);
  return std::move(outputs->front());
}

UnderTest UnderTest::of_operation(std::string_view operation) const {
  const std::vector<Subject>& others = subjects_of(operation);
  const auto device_of = [](const std::string& name) {
    const auto on = name.find(" on ");
    return on == std::string::npos ? name : name.substr(on);
  };
  for (const Subject& other : others) {
    if (device_of(other.name) == device_of(subject_.name)) return UnderTest(other);
  }
  RC_DISCARD("no subject of that operation on the device");
}

void assert_same(const std::vector<std::uint8_t>& got, const std::vector<std::uint8_t>& expected) {
  if (got == expected) return;
  if (got.size() != expected.size()) {
    RC_FAIL(fmt::format("{} bytes, expected {}", got.size(), expected.size()));
  }
  const auto [here, there] = std::mismatch(got.begin(), got.end(), expected.begin());
  RC_FAIL(fmt::format("byte {}: {:#04x}, expected {:#04x}", here - got.begin(), *here, *there));
}

void check_law(std::string_view operation, const Law& law, int rounds) {
  const Operation* const found = harness::operation_named(operation);
  ASSERT_NE(found, nullptr) << operation;
  check_law_of(*found, law, rounds);
}

void check_law(std::span<const std::string_view> operations, const Law& law) {
  for (const std::string_view operation : operations) check_law(operation, law);
}

}  // namespace properties
