// How a value becomes a code, and the known ways to get that wrong: rounding, overflow, zeros, NaN.
// Whatever is stored is stored so: products of page readers and of lanes, casts, conversion tables.
// They exist to name wrong bytes, never to judge them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "oracle/numbers/dtype.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/profile.hpp"

namespace harness {

// Every policy of a right store. The policies answer every value.
struct Store {
  oracle::FormatSpec to;
  oracle::Rounding rounding;
  oracle::Overflow overflow;
  oracle::SpecialInputs special;
  bool clears_negative_zero = false;
  bool nan_of_f32_infinity = false;  // of what no finite f32 holds
};
// As a profile's readers store into a destination. Where a NaN has its sign from inputs, it has
// that of the value.
Store store_of(oracle::Dtype destination, const oracle::Profile& profile);

// The right code.
std::uint32_t stored(const Store& store, const oracle::Exact& value);

struct StoreFault {
  std::string_view fault_class;  // of fault_classes.hpp
  std::string_view variant;      // what this form of it does, as the rest of a sentence
  bool (*applies)(const Store& store);
  // The code that a store with that fault gives; the right one where the fault does not show.
  std::uint32_t (*result)(const Store& store, const oracle::Exact& value);
};

// The most common first within a class.
std::span<const StoreFault> store_faults();

}  // namespace harness
