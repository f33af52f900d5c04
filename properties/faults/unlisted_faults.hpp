// Faults of the families of docs/faults.md that no list has.
#pragma once

#include <vector>

#include "properties/faults/spoiled.hpp"

namespace properties {

std::vector<Fault> arithmetic_faults();
std::vector<Fault> layout_faults();
std::vector<Fault> gather_faults();
// Thought up from the documents alone, by somebody who had not seen the cases.
std::vector<Fault> blind_faults();

}  // namespace properties
