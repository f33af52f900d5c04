// Faulty conversions as functions, to name wrong bytes with. What is right comes from the oracle.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "harness/diagnosis/store_faults.hpp"

namespace harness {

// One code into another format, with every policy. The policies answer every source.
struct Conversion {
  oracle::FormatSpec source;
  Store store;
};

struct ConversionModel {
  std::string_view fault_class;
  std::string_view variant;  // what this form of it does, as the rest of a sentence
  // The code that a converter with that fault gives; the right one where the fault does not show.
  std::function<std::uint32_t(const Conversion& conversion, std::uint32_t source)> result;
};

std::span<const ConversionModel> conversion_models();

// The right code, by the oracle.
std::uint32_t converted(const Conversion& conversion, std::uint32_t source);

}  // namespace harness
