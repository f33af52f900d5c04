// Mutants of counts, strides and ids on the cases of the lattice.
#include "properties/faults/extent_mutants.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/model/operation.hpp"
#include "harness/run/judge.hpp"
#include "harness/suite/operations/held_bytes.hpp"
#include "harness/suite/operations/lattice.hpp"
#include "oracle/profile.hpp"

namespace properties {
namespace {

// The cases of a level that are about extents and positions, prepared once. What takes gigabytes is
// left out: that has a test of its own.
const std::vector<harness::PreparedCase>& cases_of(std::string_view operation,
                                                   harness::Level level) {
  constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20;
  static std::map<std::pair<std::string_view, harness::Level>, std::vector<harness::PreparedCase>>
      all;
  auto& cases = all[{operation, level}];
  if (!cases.empty()) return cases;
  const harness::Operation& made = *harness::operation_named(operation);
  for (const harness::Case& each : made.cases(level, 1)) {
    const auto has = [&](std::string_view tag) {
      return std::find(each.tags.begin(), each.tags.end(), tag) != each.tags.end();
    };
    const bool chosen = has("extents") || has("offsets") || has("table") || has("tail");
    if (!chosen || each.level != level || each.device_bytes > most_bytes) continue;
    auto prepared = harness::PreparedCase::make(made, each, oracle::profiles::ocp());
    EXPECT_TRUE(prepared) << prepared.error().message;
    if (prepared) cases.push_back(std::move(*prepared));
  }
  return cases;
}

bool is_seen_at(harness::Level level, const Mutant& mutant) {
  for (const harness::PreparedCase& prepared : cases_of(mutant.operation, level)) {
    for (std::size_t call = 0; call < prepared.calls().size(); ++call) {
      if (is_seen(mutant, prepared.calls()[call], prepared.expected(call))) return true;
    }
  }
  return false;
}

TEST(ExtentMutantsTest, EachDiesAtItsLevel) {
  const std::vector<Mutant> all = extent_mutants();
  EXPECT_GE(all.size(), 350U);
  for (const Mutant& mutant : all) {
    EXPECT_TRUE(is_seen_at(mutant.dies_at, mutant)) << mutant.name << " survives";
  }
}

// What computes everything as it is survives: it is the fault that is seen.
TEST(ExtentMutantsTest, WithoutAFaultNothingIsSeen) {
  const Kind none{"none", [](std::int64_t value) { return value; }, 0};
  for (const harness::Operation* operation : harness::all_operations()) {
    const Mutant right{"right", operation->name(), Quantity::heads, none, nullptr};
    EXPECT_FALSE(is_seen_at(harness::Level::standard, right)) << operation->name();
  }
}

// What a level costs is what its cases allocate: it is copied to a device, back and compared, for
// each path and twice.
TEST(ExtentMutantsTest, ExtentsKeepToABudgetOfBytes) {
  constexpr std::uint64_t mib = std::uint64_t{1} << 20;
  std::map<harness::Level, std::uint64_t> all;
  for (const harness::Operation* operation : harness::all_operations()) {
    for (const harness::Case& each : operation->cases(harness::Level::full, 1)) {
      if (std::find(each.tags.begin(), each.tags.end(), "extents") == each.tags.end()) continue;
      if (each.level == harness::Level::standard) {
        EXPECT_LE(each.device_bytes, 34 * mib) << each.id;
      }
      // A gigabyte and more is what nobody fills.
      EXPECT_LE(harness::held_bytes(*operation, each), 96 * mib) << each.id;
      all[each.level] += each.device_bytes;
    }
  }
  EXPECT_LE(all[harness::Level::standard], 256 * mib);
  EXPECT_LE(all[harness::Level::full], 5120 * mib);
}

// Every operation has its extents, and each number of them its case at the level that is stated.
TEST(ExtentMutantsTest, EachExtentHasItsCase) {
  for (const harness::Operation* operation : harness::all_operations()) {
    std::map<std::string, harness::Level> levels;
    for (const harness::Case& each : operation->cases(harness::Level::exhaustive, 1)) {
      levels[each.id] = each.level;
    }
    const auto axes = harness::lattice_of(operation->name());
    EXPECT_FALSE(axes.empty()) << operation->name();
    if (operation->name() == "convert") continue;  // its casts take turns
    for (const harness::LatticeAxis& axis : axes) {
      using harness::Measure;
      const auto has = [&](const std::string& name, harness::Level level) {
        const std::string id = fmt::format("{}/{}", operation->name(), name);
        ASSERT_TRUE(levels.contains(id)) << id;
        EXPECT_EQ(levels[id], level) << id;
      };
      for (const harness::Boundary& boundary : axis.boundaries) {
        if (!boundary.passed_by.empty()) has(std::string(boundary.passed_by), boundary.level);
      }
      const bool follows = axis.measure == Measure::pool_bytes ||
                           axis.measure == Measure::output_bytes ||
                           axis.measure == Measure::source_bytes;
      if (follows) continue;
      for (const harness::Boundary& boundary : harness::boundaries_with_cases(axis)) {
        has(harness::extent_case(axis, boundary), boundary.level);
      }
    }
  }
}

}  // namespace
}  // namespace properties
