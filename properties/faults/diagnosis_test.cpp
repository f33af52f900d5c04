// A diagnosis is right or silent: of kernels that are wrong in ways which no model was made from,
// no case may give a name that is not true, and most must be given one that is.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "harness/run/judge.hpp"
#include "properties/faults/mutant.hpp"

namespace properties {
namespace {

// The cases of level standard that are judged quickly, prepared once.
std::vector<std::pair<std::string, harness::PreparedCase>>& cases_of(std::string_view operation) {
  constexpr std::size_t max_bytes = 6 * 16384;
  static std::map<std::string_view, std::vector<std::pair<std::string, harness::PreparedCase>>> all;
  auto& cases = all[operation];
  if (!cases.empty()) return cases;
  const harness::Operation& made = *harness::operation_named(operation);
  for (const harness::Case& each : made.cases(harness::Level::standard, 1)) {
    if (made.case_bytes(each.spec).value_or(0) > 8 * max_bytes) continue;
    auto prepared = harness::PreparedCase::make(made, each, oracle::profiles::ocp());
    EXPECT_TRUE(prepared) << prepared.error().message;
    std::size_t bytes = 0;
    for (std::size_t call = 0; call < prepared->calls().size(); ++call) {
      for (const auto& output : prepared->expected(call)) bytes += output.size();
    }
    if (bytes <= max_bytes) cases.emplace_back(each.id, std::move(*prepared));
  }
  return cases;
}

struct Seen {
  std::size_t failing = 0;
  std::size_t right = 0;
  std::size_t silent = 0;
  std::vector<std::string> wrong;  // case: name
  std::string first;               // "right", "wrong" or "silent"
  std::set<std::string> names;
};

Seen look_at(const Mutant& mutant) {
  const harness::Operation& operation = *harness::operation_named(mutant.operation);
  MutantImplementation implementation(operation, mutant);
  Seen seen;
  for (auto& [id, prepared] : cases_of(mutant.operation)) {
    implementation.next(prepared);
    const harness::CaseRecord record =
        harness::judge(operation, oracle::profiles::ocp(), prepared, implementation);
    EXPECT_NE(record.verdict, harness::Verdict::error) << id << ": " << record.reason;
    if (record.verdict == harness::Verdict::pass) continue;
    ++seen.failing;
    const std::string& name = record.diagnosis.fault_class;
    const auto true_of = [&](std::string_view each) {
      return std::find(mutant.truths.begin(), mutant.truths.end(), each) != mutant.truths.end();
    };
    std::string what = "silent";
    if (name.empty()) {
      ++seen.silent;
    } else if (true_of(name)) {
      ++seen.right;
      what = "right";
    } else {
      seen.wrong.push_back(fmt::format("{}: {} ({} wrong): {}", id, name,
                                       record.diagnosis.mismatches, record.diagnosis.explanation));
      what = "wrong";
    }
    seen.names.insert(name);
    if (seen.first.empty()) seen.first = what;
  }
  return seen;
}

TEST(DiagnosisOfUnknownFaults, IsRightOrSilent) {
  std::vector<Mutant> mutants = page_mutants();
  for (const auto more : {row_mutants, unlisted_mutants}) {
    for (Mutant& mutant : more()) mutants.push_back(std::move(mutant));
  }
  EXPECT_GE(mutants.size(), 150U);
  const char* only = std::getenv("FP4CTS_MUTANTS");  // whose name holds this
  std::map<std::string, std::size_t> first;
  std::size_t failing = 0;
  std::size_t named = 0;
  std::size_t ever_wrong = 0;
  std::size_t survivors = 0;
  for (const Mutant& mutant : mutants) {
    if (only != nullptr && mutant.name.find(only) == std::string::npos) continue;
    const Seen seen = look_at(mutant);
    if (seen.failing == 0) {
      ++survivors;
      fmt::print("survives  {}\n", mutant.name);
      continue;
    }
    ++failing;
    ++first[seen.first];
    if (seen.right > 0) ++named;
    if (!seen.wrong.empty()) ++ever_wrong;
    fmt::print("{:7} {:3} failing {:3} right {:3} silent {:3} wrong  {}: {}\n", seen.first,
               seen.failing, seen.right, seen.silent, seen.wrong.size(), mutant.name,
               fmt::join(seen.names, ", "));
    EXPECT_TRUE(seen.wrong.empty())
        << mutant.name << "\n  " << fmt::format("{}", fmt::join(seen.wrong, "\n  "));
  }
  fmt::print(
      "{} mutants are seen, {} are not. First case: {} named rightly, {} wrongly, {} not. In "
      "some case: {} rightly, {} wrongly.\n",
      failing, survivors, first["right"], first["wrong"], first["silent"], named, ever_wrong);
  EXPECT_GE(named * 10, failing * 6);
}

}  // namespace
}  // namespace properties
