// What a writer's problem exercises, by the oracle's answer under `ocp` and by where rules part.
#pragma once

#include <string>
#include <vector>

#include "harness/model/coverage.hpp"
#include "harness/suite/operations/write_spec.hpp"

namespace harness {

void cover_write(const WriteForm& form, const Problem& problem, Coverage& coverage);

// Bins that level `full` must hit.
std::vector<std::string> write_bins(const WriteForm& form);

}  // namespace harness
