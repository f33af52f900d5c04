// Faults of the arithmetic that no model has, fitted from the pairs of code and scale that a call
// meets: elements, scales or results that are taken for others wherever they stand.
#pragma once

#include <functional>
#include <vector>

#include "harness/diagnosis/arithmetic_models.hpp"
#include "harness/diagnosis/hints.hpp"
#include "harness/diagnosis/hypothesis.hpp"

namespace harness {

PairsSay what_pairs_say(const Judged& judged, const Sample& sample, const PairOf& pair_of,
                        const std::vector<HintAxis>& axes);

// Whether half of the pairs whose results differ in the two tables are among the elements that were
// looked at. `index_of` gives the pair_index of an element, or what is no index.
bool meets_half(const ResultTable& right, const ResultTable& faulty, const Sample& sample,
                const std::function<std::size_t(std::size_t element)>& index_of);

// Adds the family that accounts for all wrong elements. Only with PairsSay::one_result.
void consider_value_families(const ArithmeticSetting& setting, const Judged& judged,
                             const Sample& sample, const PairOf& pair_of, Naming& naming);

}  // namespace harness
