#include "diagnosis/lane_diagnosis.hpp"

#include <fmt/format.h>

#include "diagnosis/describe_value.hpp"

namespace harness {
namespace {

struct Lane {
  std::uint8_t code = 0;
  std::uint8_t scale = 0;
};

Lane lane_of(const Problem& problem, std::size_t i) {
  const std::vector<std::uint8_t>& a = problem.find("a")->storage;
  const std::vector<std::uint8_t>& b = problem.find("b")->storage;
  // Little-endian words: lane i of b is byte i, and of a the low nibble for an even lane.
  return {static_cast<std::uint8_t>(a[i / 2] >> (i % 2 * 4) & 0xf), b[i]};
}

}  // namespace

Diagnosis diagnose_lanes(const Problem& problem, const oracle::Profile& profile,
                         const Outputs& expected, const Outputs& actual) {
  const ArithmeticSetting setting{oracle::ScaleFormat::e4m3, oracle::Dtype::e4m3, &profile};
  Diagnosis diagnosis;
  for (std::size_t i = 0; i < expected[0].size(); ++i) {
    if (expected[0][i] == actual[0][i]) continue;
    ++diagnosis.mismatches;
    if (diagnosis.first.size() == Diagnosis::max_listed) continue;
    Mismatch mismatch;
    mismatch.tensor = "d";
    mismatch.byte = i;
    mismatch.expected = expected[0][i];
    mismatch.actual = actual[0][i];
    mismatch.site["word"] = i / 4;
    mismatch.site["lane"] = i % 4;
    const Lane lane = lane_of(problem, i);
    mismatch.text = fmt::format("word {}, lane {}: {}", i / 4, i % 4,
                                describe_product(setting, lane.code, lane.scale, mismatch));
    diagnosis.first.push_back(std::move(mismatch));
  }
  return diagnosis;
}

}  // namespace harness
