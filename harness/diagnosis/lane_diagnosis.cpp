#include "harness/diagnosis/lane_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/diagnosis/describe_value.hpp"
#include "harness/diagnosis/hints.hpp"
#include "harness/diagnosis/hypothesis.hpp"
#include "harness/diagnosis/page_families.hpp"
#include "harness/diagnosis/row_families.hpp"
#include "harness/diagnosis/value_families.hpp"
#include "harness/diagnosis/wrong_elements.hpp"

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

// Where lane `lane` of word `word` takes its code and its scale from.
struct LaneModel {
  std::string_view fault_class;
  std::string_view variant;
  int (*code_lane)(int lane);  // -1: the code is read as 0
  int (*scale_lane)(int lane);
};
int same(int lane) { return lane; }
constexpr auto lane_models = std::to_array<LaneModel>({
    {"nibble_order_swapped", "lanes of a byte of codes are swapped", [](int l) { return l ^ 1; },
     same},
    {"word_order_reversed", "codes come in reverse", [](int l) { return 3 - l; }, same},
    {"word_order_reversed", "scales come in reverse", same, [](int l) { return 3 - l; }},
    {"word_order_reversed", "bytes of codes are swapped", [](int l) { return l ^ 2; }, same},
    {"second_element_of_pair_zero", "odd lanes are read as 0",
     [](int l) { return l % 2 == 1 ? -1 : l; }, same},
    {"second_element_of_pair_zero", "even lanes are read as 0",
     [](int l) { return l % 2 == 0 ? -1 : l; }, same},
    {"scale_group_zero_for_all", "every lane has the scale of lane 0", same, [](int) { return 0; }},
    {"scale_group_zero_for_all", "every lane has the scale of lane 3", same, [](int) { return 3; }},
    {"group_term_missing_in_data_index", "every lane has the code of lane 0", [](int) { return 0; },
     same},
});

void consider_lane_faults(const Problem& problem, const ArithmeticSetting& setting,
                          const Judged& judged, const Sample& sample, PairsSay pairs_say,
                          Naming& naming) {
  const ResultTable results = right_results(setting);
  const std::vector<ResultTable>& tables = model_results(setting);
  for (std::size_t m = 0; m < tables.size(); ++m) {
    const ArithmeticModel& model = arithmetic_models()[m];
    if (!model.applies(setting)) continue;
    naming.consider({model.fault_class, std::string(model.variant),
                     [&](std::size_t i) {
                       const Lane lane = lane_of(problem, i);
                       return Prediction::of(tables[m][pair_index(lane.code, lane.scale)]);
                     },
                     [&] {
                       return meets_half(results, tables[m], sample, [&](std::size_t i) {
                         const Lane lane = lane_of(problem, i);
                         return pair_index(lane.code, lane.scale);
                       });
                     }});
  }
  for (const LaneModel& model : lane_models) {
    naming.consider({model.fault_class, std::string(model.variant),
                     [&](std::size_t i) {
                       const std::size_t word = i / 4 * 4;
                       const int code_lane = model.code_lane(static_cast<int>(i % 4));
                       const int scale_lane = model.scale_lane(static_cast<int>(i % 4));
                       const std::uint8_t code =
                           code_lane < 0
                               ? std::uint8_t{0}
                               : lane_of(problem, word + static_cast<std::size_t>(code_lane)).code;
                       const std::uint8_t scale =
                           lane_of(problem, word + static_cast<std::size_t>(scale_lane)).scale;
                       return Prediction::of(results[pair_index(code, scale)]);
                     },
                     [=] { return pairs_say == PairsSay::unequal_results; }, true});
  }
  consider_unwritten_row(judged, sample, problem.find("d")->storage, 4, "word", naming);
}

Mismatch describe(const Problem& problem, const ArithmeticSetting& setting, const Judged& judged,
                  std::size_t i) {
  Mismatch mismatch;
  mismatch.tensor = "d";
  mismatch.byte = i;
  mismatch.expected = judged.expected_at(i);
  mismatch.actual = judged.actual_at(i);
  mismatch.site["word"] = i / 4;
  mismatch.site["lane"] = i % 4;
  const Lane lane = lane_of(problem, i);
  mismatch.text = fmt::format("word {}, lane {}: {}", i / 4, i % 4,
                              describe_product(setting, lane.code, lane.scale, mismatch));
  return mismatch;
}

bool agrees(const Problem& problem, const ArithmeticSetting& setting, const Judged& judged) {
  const ResultTable results = right_results(setting);
  for (std::size_t i = 0; i < judged.elements(); ++i) {
    const Lane lane = lane_of(problem, i);
    if (results[pair_index(lane.code, lane.scale)] != judged.actual_at(i)) return false;
  }
  return true;
}

// The class that accounts for the wrong lanes, or what they have in common.
void name_fault(const Problem& problem, const ArithmeticSetting& setting, const Judged& judged,
                const Sample& sample, Diagnosis& diagnosis) {
  const std::vector<HintAxis> axes{
      {"word", judged.elements() / 4, [](std::size_t i) { return i / 4; }},
      {"lane", 4, [](std::size_t i) { return i % 4; }}};
  const PairOf pair_of = [&](std::size_t i) {
    const Lane lane = lane_of(problem, i);
    return std::optional(std::pair{lane.code, lane.scale});
  };
  const PairsSay say = what_pairs_say(judged, sample, pair_of, axes);
  Naming naming(judged, sample);
  consider_lane_faults(problem, setting, judged, sample, say, naming);
  consider_zeros(judged, sample, pair_of, axes, naming);
  if (naming.complete()) return naming.name(diagnosis, {});
  if (say == PairsSay::one_result) {
    consider_value_families(setting, judged, sample, pair_of, naming);
  } else if (say == PairsSay::unequal_results) {
    const ResultTable results = right_results(setting);
    const auto result = [&](std::size_t code, std::size_t scale) {
      return results[pair_index(lane_of(problem, code).code, lane_of(problem, scale).scale)];
    };
    consider_row_families({judged.elements(), result, true}, judged, sample, naming);
  }
  const std::string values = value_hint(setting, judged, sample, pair_of, say);
  const std::string places = place_hint(axes, sample);
  naming.name(diagnosis, values + (values.empty() || places.empty() ? "" : " ") + places);
}

}  // namespace

Diagnosis diagnose_lanes(const Problem& problem, const oracle::Profile& profile,
                         const Outputs& expected, const Outputs& actual) {
  const ArithmeticSetting setting{oracle::e4m3::spec, oracle::Dtype::e4m3, &profile};
  const Judged judged{expected[0], actual[0], 1};
  const Sample sample = sample_of(judged);
  Diagnosis diagnosis;
  list_mismatches(
      judged, diagnosis, [&](std::size_t i) { return describe(problem, setting, judged, i); },
      [](std::size_t) {});
  name_fault(problem, setting, judged, sample, diagnosis);
  diagnosis.matching_profile = matching_profile(profile, [&](const oracle::Profile& other) {
    return agrees(problem, {setting.format, setting.destination, &other}, judged);
  });
  return diagnosis;
}

}  // namespace harness
