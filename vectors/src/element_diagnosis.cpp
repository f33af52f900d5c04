#include "vectors/src/element_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/diagnosis/arithmetic_models.hpp"
#include "harness/diagnosis/conversion_models.hpp"

namespace harness {
namespace {

std::string describe_site(const nlohmann::ordered_json& site) {
  std::string text;
  for (const auto& [name, value] : site.items()) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                        value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

Mismatch describe(const ElementTable& table, const Problem& problem, std::uint64_t index,
                  std::uint32_t expected, std::uint32_t actual) {
  const Tensor& output = problem.tensors.back();
  Mismatch mismatch;
  mismatch.tensor = output.name;
  mismatch.byte = index * element_bytes(output.dtype);
  mismatch.expected = expected;
  mismatch.actual = actual;
  mismatch.site = site_of(table, problem, index);
  const std::string where = describe_site(mismatch.site);
  const auto in_words = [&](std::uint32_t code) {
    const std::uint32_t mask = oracle::code_mask(table.destination);
    return (code & ~mask) == 0 ? code_in_words(table.destination, code)
                               : fmt::format("{:#04x} (no code)", code);
  };
  mismatch.site["expected"] = in_words(expected);
  mismatch.site["actual"] = in_words(actual);
  mismatch.text =
      fmt::format("{}: expected {}, got {}", where, in_words(expected), in_words(actual));
  return mismatch;
}

// Enters a fault that accounts for all wrong elements: the first one names the class.
void enter(std::string_view fault_class, std::string_view variant, Diagnosis& diagnosis) {
  if (diagnosis.fault_class.empty()) {
    diagnosis.fault_class = fault_class;
    diagnosis.explanation =
        fmt::format("{}; this accounts for all {} wrong elements", variant, diagnosis.mismatches);
    return;
  }
  auto& others = diagnosis.same_bytes_classes;
  if (diagnosis.fault_class != fault_class &&
      std::find(others.begin(), others.end(), fault_class) == others.end()) {
    others.emplace_back(fault_class);
  }
}

void name_conversion_fault(const ElementTable& table, const Problem& problem,
                           const std::vector<std::uint8_t>& actual, Diagnosis& diagnosis) {
  const Tensor& source = problem.tensors.front();
  const Tensor& output = problem.tensors.back();
  const std::uint64_t count = actual.size() / element_bytes(output.dtype);
  const auto& kind = std::get<ConversionTable>(table.kind);
  const Conversion conversion{kind.source,
                              {table.destination, kind.rounding, table.overflow, kind.special}};
  for (const ConversionModel& model : conversion_models()) {
    bool accounts = true;
    for (std::uint64_t i = 0; accounts && i < count; ++i) {
      const std::uint32_t code = element_bits(source.storage, source.dtype, i);
      accounts = model.result(conversion, code) == element_bits(actual, output.dtype, i);
    }
    if (accounts) enter(model.fault_class, model.variant, diagnosis);
  }
}

// The models of page readers, on the pairs of the table.
void name_product_fault(const ElementTable& table, const Problem& problem,
                        const oracle::Profile& profile, const std::vector<std::uint8_t>& actual,
                        Diagnosis& diagnosis) {
  const ArithmeticSetting setting{std::get<PairTable>(table.kind).scale_format,
                                  destination_of(table), &profile};
  const std::vector<std::uint8_t>& codes = problem.tensors[0].storage;
  const std::vector<std::uint8_t>& scales = problem.tensors[1].storage;
  const DType dtype = problem.tensors.back().dtype;
  const std::span<const ArithmeticModel> models = arithmetic_models();
  const std::vector<ResultTable>& results_of_models = model_results(setting);
  for (std::size_t m = 0; m < models.size(); ++m) {
    const ArithmeticModel& model = models[m];
    if (!model.applies(setting)) continue;
    const ResultTable& results = results_of_models[m];
    bool accounts = true;
    for (std::size_t i = 0; accounts && i < codes.size(); ++i) {
      const auto code = static_cast<std::uint8_t>(codes[i] & 0xf);
      accounts = results[pair_index(code, scales[i])] == element_bits(actual, dtype, i);
    }
    if (accounts) enter(model.fault_class, model.variant, diagnosis);
  }
}

std::string matching_profile(const ElementTable& table, const Problem& problem,
                             const oracle::Profile& declared, const Outputs& actual) {
  for (const oracle::Profile* profile : oracle::profiles::shipped()) {
    if (*profile == declared) continue;
    const auto outputs = expected_of(table, problem, *profile);
    if (outputs && *outputs == actual) return profile->name;
  }
  return {};
}

}  // namespace

Diagnosis diagnose_elements(const ElementTable& table, const Problem& problem,
                            const oracle::Profile& profile, const Outputs& expected,
                            const Outputs& actual) {
  Diagnosis diagnosis;
  const DType dtype = problem.tensors.back().dtype;
  const std::uint64_t count = expected.front().size() / element_bytes(dtype);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t right = element_bits(expected.front(), dtype, i);
    const std::uint32_t got = element_bits(actual.front(), dtype, i);
    if (right == got) continue;
    ++diagnosis.mismatches;
    if (diagnosis.first.size() < Diagnosis::max_listed) {
      diagnosis.first.push_back(describe(table, problem, i, right, got));
    }
  }
  if (std::holds_alternative<ConversionTable>(table.kind)) {
    name_conversion_fault(table, problem, actual.front(), diagnosis);
  } else {
    name_product_fault(table, problem, profile, actual.front(), diagnosis);
  }
  diagnosis.matching_profile = matching_profile(table, problem, profile, actual);
  return diagnosis;
}

}  // namespace harness
