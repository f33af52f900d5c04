// Faults of addresses that no model has, fitted: which place of which page wrong elements have
// their code or scale from, or which place's result they hold.
#pragma once

#include "harness/diagnosis/hints.hpp"
#include "harness/diagnosis/hypothesis.hpp"
#include "harness/diagnosis/page_scene.hpp"

namespace harness {

// Whether every wrong element is that of another page of the call, by a rule such as "the page
// before": so it may be whatever else would give that page.
bool other_page_fits(const PageScene& scene, const Judged& judged, const Sample& sample);

// Whether a map such as "element e^16" or "token t-1" leaves the codes (the scales) of every page
// of the call as they are.
bool codes_repeat(const PageScene& scene);
bool scales_repeat(const PageScene& scene);

// Adds every family that accounts for all wrong elements by more than chance.
void consider_address_families(const PageScene& scene, const Judged& judged, const Sample& sample,
                               Naming& naming);

// Parts of the output that hold nothing but zeros: whole pages, tokens or columns. A class, for it
// accounts for what is right as well.
void consider_zeros(const Judged& judged, const Sample& sample, const PairOf& pair_of,
                    const std::vector<HintAxis>& axes, Naming& naming);

}  // namespace harness
