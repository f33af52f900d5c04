// The case list of the page operations. Ids are stable and append-only: a case that changes gets a
// new id.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/model/case.hpp"
#include "harness/suite/operations/page_format.hpp"

namespace harness {

std::vector<Case> page_cases(const PageOperation& operation, Level level, std::uint64_t seed);

// For fuzzing: a legal spec made from `seed`, edges favoured.
nlohmann::json random_page_spec(const PageOperation& operation, std::uint64_t seed);
// Specs smaller than a legal one, the boldest first; empty where nothing is left to leave out.
std::vector<nlohmann::json> smaller_page_specs(const PageOperation& operation,
                                               const nlohmann::json& spec);

}  // namespace harness
