// Arithmetic faults as functions: what a decoder with one known fault gives for a code and a scale.
// They exist to name wrong bytes, never to judge them: what is right comes from the oracle alone.
//
// A fault class has one model or more, for public kernels have had it in more than one form.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "oracle/numbers/dtype.hpp"
#include "oracle/pages/page_layout.hpp"
#include "oracle/profile.hpp"

namespace harness {

// What a result depends on beside code and scale.
struct ArithmeticSetting {
  oracle::FormatSpec format = oracle::e4m3::spec;
  oracle::Dtype destination = oracle::Dtype::e4m3;
  const oracle::Profile* profile = nullptr;
};

// What is stored wrongly is said once for all of store_faults.hpp; the others are of pairs.
struct ArithmeticModel {
  std::string_view fault_class;  // of fault_classes.hpp
  std::string_view variant;      // what this form of it does, as the rest of a sentence
  std::function<bool(const ArithmeticSetting& setting)> applies;
  std::function<std::uint32_t(const ArithmeticSetting& setting, std::uint8_t code,
                              std::uint8_t scale)>
      result;
};

// The most common first within a class, and classes in the order of docs/reported-faults.md.
std::span<const ArithmeticModel> arithmetic_models();

// All 4096 results: [scale * 16 + code].
using ResultTable = std::array<std::uint32_t, 4096>;
constexpr std::size_t pair_index(std::uint8_t code, std::uint8_t scale) {
  return std::size_t{scale} * 16 + code;
}
ResultTable right_results(const ArithmeticSetting& setting);
// Those of every model, in the order of arithmetic_models(); made once for a setting.
const std::vector<ResultTable>& model_results(const ArithmeticSetting& setting);

}  // namespace harness
