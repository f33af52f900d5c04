// What every diagnosis does with wrong elements, whatever they are of.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "harness/diagnosis/hypothesis.hpp"
#include "oracle/profile.hpp"

namespace harness {

// Counts the wrong elements, and describes the first of them. `describe(i)` gives a Mismatch;
// `mark(i)` is called of every one.
template <class Describe, class Mark>
void list_mismatches(const Judged& judged, Diagnosis& diagnosis, Describe describe, Mark mark) {
  for (std::size_t i = 0; i < judged.elements(); ++i) {
    if (!judged.wrong_at(i)) continue;
    ++diagnosis.mismatches;
    mark(i);
    if (diagnosis.first.size() < Diagnosis::max_listed) diagnosis.first.push_back(describe(i));
  }
}

// The first shipped profile other than the declared one for which `agrees(profile)` holds; empty
// without any.
template <class Agrees>
std::string matching_profile(const oracle::Profile& declared, Agrees agrees) {
  for (const oracle::Profile* profile : oracle::profiles::shipped()) {
    if (*profile != declared && agrees(*profile)) return profile->name;
  }
  return {};
}

// Of a row of elements that are all to be written: those that keep `fill`, and whether they are its
// end. Elements come in units of `unit`, called `name` ("word").
void consider_unwritten_row(const Judged& judged, const Sample& sample,
                            std::span<const std::uint8_t> fill, std::size_t unit,
                            std::string_view name, Naming& naming);

}  // namespace harness
