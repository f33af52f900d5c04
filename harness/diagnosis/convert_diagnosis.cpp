#include "harness/diagnosis/convert_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/diagnosis/conversion_models.hpp"
#include "harness/diagnosis/hypothesis.hpp"
#include "harness/suite/operations/convert_spec.hpp"
#include "oracle/numbers/describe.hpp"
#include "oracle/pages/product.hpp"

namespace harness {
namespace {

const oracle::FormatSpec& destination_of(const Cast& cast, const oracle::Profile& profile) {
  return cast.to == DType::e4m3 ? oracle::destination_format(oracle::Dtype::e4m3, profile)
                                : format_of(cast.to);
}

// The conversion that the contract asks for, as far as the models' policies state it.
Conversion policies_of(const Cast& cast, const oracle::Profile& profile) {
  const bool narrow = element_bytes(cast.to) == 1;
  Conversion conversion{format_of(cast.from),
                        {destination_of(cast, profile),
                         oracle::Round::rne,
                         narrow ? oracle::Overflow::satfinite : oracle::Overflow::to_inf,
                         {}}};
  // The code of NaN, by the contract.
  if (oracle::has_nan(conversion.source)) {
    conversion.store.special.nan_code =
        cast_code(cast, oracle::canonical_nan_code(conversion.source), profile);
  }
  conversion.store.special.keep_nan_sign = profile.nan_sign != oracle::NanSign::as_coded;
  return conversion;
}

Mismatch describe(const Problem& problem, const Cast& cast, const oracle::Profile& profile,
                  const Judged& judged, std::size_t i) {
  const oracle::FormatSpec& to = destination_of(cast, profile);
  Mismatch mismatch;
  mismatch.tensor = "d";
  mismatch.byte = i * judged.width;
  mismatch.expected = judged.expected_at(i);
  mismatch.actual = judged.actual_at(i);
  const std::uint32_t bits = bits_at(*problem.find("x"), i);
  const std::string source = fmt::format("{:#0{}x} ({})", bits, 2 + 2 * element_bytes(cast.from),
                                         oracle::readable(cast_value(cast, bits, profile)));
  mismatch.site["element"] = i;
  mismatch.site["cast"] = name_of(cast);
  mismatch.site["x"] = source;
  mismatch.site["expected"] = oracle::describe_code(to, mismatch.expected);
  mismatch.site["actual"] = oracle::describe_code(to, mismatch.actual & oracle::code_mask(to));
  mismatch.text = fmt::format("{} element {}: x {}: expected {}, got {}", name_of(cast), i, source,
                              oracle::code_and_value(to, mismatch.expected),
                              oracle::code_and_value(to, mismatch.actual & oracle::code_mask(to)));
  return mismatch;
}

std::string matching_profile(const Problem& problem, const Cast& cast,
                             const oracle::Profile& declared, const Judged& judged) {
  for (const oracle::Profile* profile : oracle::profiles::shipped()) {
    if (*profile == declared) continue;
    bool all = true;
    for (std::size_t i = 0; all && i < judged.elements(); ++i) {
      all = cast_code(cast, bits_at(*problem.find("x"), i), *profile) == judged.actual_at(i);
    }
    if (all) return profile->name;
  }
  return {};
}

}  // namespace

Diagnosis diagnose_convert(const Problem& problem, const oracle::Profile& profile,
                           const Outputs& expected, const Outputs& actual) {
  const Cast cast{problem.find("x")->dtype, problem.find("d")->dtype};
  const Judged judged{expected[0], actual[0], element_bytes(cast.to)};
  const Sample sample = sample_of(judged);
  Diagnosis diagnosis;
  diagnosis.mismatches = sample.all_wrong;
  for (std::size_t i = 0; i < judged.elements(); ++i) {
    if (!judged.wrong_at(i)) continue;
    if (diagnosis.first.size() == Diagnosis::max_listed) break;
    diagnosis.first.push_back(describe(problem, cast, profile, judged, i));
  }
  const Conversion conversion = policies_of(cast, profile);
  const Tensor& x = *problem.find("x");
  Naming naming(judged, sample);
  for (const ConversionModel& model : conversion_models()) {
    naming.consider({model.fault_class, std::string(model.variant), [&](std::size_t i) {
                       return Prediction::of(model.result(conversion, bits_at(x, i)));
                     }});
  }
  const Judged fill{problem.find("d")->storage, actual[0], judged.width};
  const bool kept =
      !sample.wrong.empty() && std::all_of(sample.wrong.begin(), sample.wrong.end(),
                                           [&](std::size_t i) { return !fill.wrong_at(i); });
  if (kept) {
    naming.consider({"stale_bytes", "the wrong bytes are not written", [&](std::size_t i) {
                       return Prediction::of(judged.wrong_at(i) ? fill.expected_at(i)
                                                                : judged.expected_at(i));
                     }});
  }
  naming.name(diagnosis, "No fault that is known accounts for them.");
  diagnosis.matching_profile = matching_profile(problem, cast, profile, judged);
  return diagnosis;
}

}  // namespace harness
