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
  const std::vector<std::uint8_t>& fill = problem.find("d")->storage;
  std::size_t first = SIZE_MAX;
  for (const std::size_t i : sample.wrong) {
    if (judged.actual_at(i) != fill[i]) return;
    first = std::min(first, i);
  }
  const std::size_t words = judged.elements() / 4;
  const bool tail = is_end(words - first / 4, first / 4) &&
                    std::all_of(sample.right.begin(), sample.right.end(), [&](std::size_t i) {
                      return i < first || judged.expected_at(i) == fill[i];
                    });
  const bool nothing = std::all_of(sample.right.begin(), sample.right.end(),
                                   [&](std::size_t i) { return judged.expected_at(i) == fill[i]; });
  naming.consider({tail && !nothing ? "unwritten_tail" : "stale_bytes",
                   nothing ? "nothing is written"
                   : tail  ? fmt::format("nothing is written from word {} on", first / 4)
                           : "the wrong bytes are not written",
                   [&](std::size_t i) {
                     return Prediction::of(judged.wrong_at(i) ? fill[i] : judged.expected_at(i));
                   }});
}

std::string find_matching_profile(const Problem& problem, const oracle::Profile& declared,
                                  const Outputs& actual) {
  for (const oracle::Profile* profile : oracle::profiles::shipped()) {
    if (*profile == declared) continue;
    const ResultTable results =
        right_results({oracle::ScaleFormat::e4m3, oracle::Dtype::e4m3, profile});
    bool all = true;
    for (std::size_t i = 0; i < actual[0].size() && all; ++i) {
      const Lane lane = lane_of(problem, i);
      all = results[pair_index(lane.code, lane.scale)] == actual[0][i];
    }
    if (all) return profile->name;
  }
  return {};
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
  const ArithmeticSetting setting{oracle::ScaleFormat::e4m3, oracle::Dtype::e4m3, &profile};
  const Judged judged{expected[0], actual[0], 1};
  const Sample sample = sample_of(judged);
  Diagnosis diagnosis;
  diagnosis.mismatches = sample.all_wrong;
  for (std::size_t i = 0; i < judged.elements(); ++i) {
    if (!judged.wrong_at(i)) continue;
    if (diagnosis.first.size() == Diagnosis::max_listed) break;
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
    diagnosis.first.push_back(std::move(mismatch));
  }
  name_fault(problem, setting, judged, sample, diagnosis);
  diagnosis.matching_profile = find_matching_profile(problem, profile, actual);
  return diagnosis;
}

}  // namespace harness
