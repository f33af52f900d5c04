#include "harness/diagnosis/encode_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/diagnosis/conversion_models.hpp"
#include "harness/diagnosis/hints.hpp"
#include "harness/diagnosis/hypothesis.hpp"
#include "harness/diagnosis/row_families.hpp"
#include "harness/diagnosis/wrong_elements.hpp"
#include "harness/suite/operations/convert_spec.hpp"
#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/describe.hpp"
#include "oracle/pages/product.hpp"

namespace harness {
namespace {

const oracle::FormatSpec& destination(const oracle::Profile& profile) {
  return oracle::destination_format(oracle::Dtype::e4m3, profile);
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

bool agrees(const Problem& problem, const oracle::Profile& profile, const Judged& judged) {
  const Tensor& x = *problem.find("x");
  for (std::size_t i = 0; i < judged.elements(); ++i) {
    const oracle::Exact value = oracle::decode<oracle::f32>(bits_at(x, i));
    if (oracle::encode_element(value, oracle::Dtype::e4m3, profile) != judged.actual_at(i)) {
      return false;
    }
  }
  return true;
}

}  // namespace

Diagnosis diagnose_encode(const Problem& problem, const oracle::Profile& profile,
                          const Outputs& expected, const Outputs& actual) {
  const Judged judged{expected[0], actual[0], 1};
  const Sample sample = sample_of(judged);
  const Tensor& x = *problem.find("x");
  Diagnosis diagnosis;
  list_mismatches(
      judged, diagnosis, [&](std::size_t i) { return describe(problem, profile, judged, i); },
      [](std::size_t) {});
  const Conversion conversion{oracle::f32::spec, store_of(oracle::Dtype::e4m3, profile)};
  Naming naming(judged, sample);
  for (const ConversionModel& model : conversion_models()) {
    naming.consider({model.fault_class, std::string(model.variant), [&](std::size_t i) {
                       return Prediction::of(model.result(conversion, bits_at(x, i)));
                     }});
  }
  consider_unwritten_row(judged, sample, problem.find("d")->storage, 1, "element", naming);
  if (!naming.complete()) {
    const RowScene scene{judged.elements(),
                         [&](std::size_t i, std::size_t /*scale*/) {
                           return oracle::encode_element(oracle::decode<oracle::f32>(bits_at(x, i)),
                                                         oracle::Dtype::e4m3, profile);
                         },
                         false};
    consider_row_families(scene, judged, sample, naming);
  }
  const ArithmeticSetting setting{oracle::e4m3::spec, oracle::Dtype::e4m3, &profile};
  const std::string hint = result_hint(setting, judged, sample);
  naming.name(diagnosis, naming.complete() ? std::string() : hint);
  diagnosis.matching_profile = matching_profile(
      profile, [&](const oracle::Profile& other) { return agrees(problem, other, judged); });
  return diagnosis;
}

}  // namespace harness
