#include "harness/diagnosis/encode_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/diagnosis/conversion_models.hpp"
#include "harness/diagnosis/hints.hpp"
#include "harness/diagnosis/hypothesis.hpp"
#include "harness/diagnosis/row_families.hpp"
#include "harness/suite/operations/convert_spec.hpp"
#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/describe.hpp"
#include "oracle/pages/product.hpp"

namespace harness {
namespace {

const oracle::FormatSpec& destination(const oracle::Profile& profile) {
  return oracle::destination_format(oracle::Dtype::e4m3, profile);
}

// The conversion that a profile asks for, as far as the models' policies state it.
Conversion conversion_of(const oracle::Profile& profile) {
  Conversion conversion{
      oracle::f32::spec, destination(profile), oracle::Round::rne, oracle::Overflow::satfinite, {}};
  if (profile.e4m3_overflow == oracle::E4m3Overflow::to_nan) {
    conversion.overflow = oracle::Overflow::to_nan;
  }
  conversion.special.nan_code = profile.nan.e4m3;
  conversion.special.keep_nan_sign = profile.nan_sign != oracle::NanSign::as_coded;
  return conversion;
}

Mismatch describe(const Problem& problem, const oracle::Profile& profile, const Judged& judged,
                  std::size_t i) {
  const oracle::FormatSpec& to = destination(profile);
  Mismatch mismatch;
  mismatch.tensor = "d";
  mismatch.byte = i;
  mismatch.expected = judged.expected_at(i);
  mismatch.actual = judged.actual_at(i);
  const std::uint32_t bits = bits_at(*problem.find("x"), i);
  const std::string value = oracle::readable(oracle::decode<oracle::f32>(bits));
  mismatch.site["element"] = i;
  mismatch.site["x"] = fmt::format("{:#010x} ({})", bits, value);
  mismatch.site["expected"] = oracle::describe_code(to, mismatch.expected);
  mismatch.site["actual"] = oracle::describe_code(to, mismatch.actual);
  mismatch.text = fmt::format("element {}: x {:#010x} ({}): expected {}, got {}", i, bits, value,
                              oracle::code_and_value(to, mismatch.expected),
                              oracle::code_and_value(to, mismatch.actual));
  return mismatch;
}

void consider_unwritten(const Problem& problem, const Judged& judged, const Sample& sample,
                        Naming& naming) {
  const std::vector<std::uint8_t>& fill = problem.find("d")->storage;
  const bool kept = std::all_of(sample.wrong.begin(), sample.wrong.end(),
                                [&](std::size_t i) { return judged.actual_at(i) == fill[i]; });
  if (!kept || sample.wrong.empty()) return;
  const std::size_t first = *std::min_element(sample.wrong.begin(), sample.wrong.end());
  const bool tail = is_end(judged.elements() - first, first) &&
                    std::all_of(sample.right.begin(), sample.right.end(), [&](std::size_t i) {
                      return i < first || judged.expected_at(i) == fill[i];
                    });
  const bool some = std::any_of(sample.right.begin(), sample.right.end(),
                                [&](std::size_t i) { return judged.expected_at(i) != fill[i]; });
  naming.consider({tail && some ? "unwritten_tail" : "stale_bytes",
                   !some  ? "nothing is written"
                   : tail ? fmt::format("nothing is written from element {} on", first)
                          : "the wrong bytes are not written",
                   [&](std::size_t i) {
                     return Prediction::of(judged.wrong_at(i) ? fill[i] : judged.expected_at(i));
                   }});
}

std::string matching_profile(const Problem& problem, const oracle::Profile& declared,
                             const Outputs& actual) {
  const Tensor& x = *problem.find("x");
  for (const oracle::Profile* profile : oracle::profiles::shipped()) {
    if (*profile == declared) continue;
    bool all = true;
    for (std::size_t i = 0; all && i < static_cast<std::size_t>(x.shape[0]); ++i) {
      const oracle::Exact value = oracle::decode<oracle::f32>(bits_at(x, i));
      all = oracle::encode_element(value, oracle::Dtype::e4m3, *profile) == actual[0][i];
    }
    if (all) return profile->name;
  }
  return {};
}

}  // namespace

Diagnosis diagnose_encode(const Problem& problem, const oracle::Profile& profile,
                          const Outputs& expected, const Outputs& actual) {
  const Judged judged{expected[0], actual[0], 1};
  const Sample sample = sample_of(judged);
  const Tensor& x = *problem.find("x");
  Diagnosis diagnosis;
  diagnosis.mismatches = sample.all_wrong;
  for (std::size_t i = 0; i < judged.elements(); ++i) {
    if (!judged.wrong_at(i)) continue;
    if (diagnosis.first.size() == Diagnosis::max_listed) break;
    diagnosis.first.push_back(describe(problem, profile, judged, i));
  }
  const Conversion conversion = conversion_of(profile);
  Naming naming(judged, sample);
  for (const ConversionModel& model : conversion_models()) {
    naming.consider({model.fault_class, std::string(model.variant), [&](std::size_t i) {
                       return Prediction::of(model.result(conversion, bits_at(x, i)));
                     }});
  }
  consider_unwritten(problem, judged, sample, naming);
  if (!naming.complete()) {
    const RowScene scene{judged.elements(),
                         [&](std::size_t i, std::size_t /*scale*/) {
                           return oracle::encode_element(oracle::decode<oracle::f32>(bits_at(x, i)),
                                                         oracle::Dtype::e4m3, profile);
                         },
                         false};
    consider_row_families(scene, judged, sample, naming);
  }
  const ArithmeticSetting setting{oracle::ScaleFormat::e4m3, oracle::Dtype::e4m3, &profile};
  const std::string hint = result_hint(setting, judged, sample);
  naming.name(diagnosis, naming.complete() ? std::string() : hint);
  diagnosis.matching_profile = matching_profile(problem, profile, actual);
  return diagnosis;
}

}  // namespace harness
