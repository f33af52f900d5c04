// The cases of a writer, and random specs for fuzzing.
#pragma once

#include <vector>

#include "harness/model/case.hpp"
#include "harness/suite/operations/write_spec.hpp"

namespace harness {

std::vector<Case> write_cases(const WriteForm& form, Level level, std::uint64_t seed);
nlohmann::json random_write_spec(const WriteForm& form, std::uint64_t seed);
std::vector<nlohmann::json> smaller_write_specs(const WriteForm& form, const nlohmann::json& spec);

}  // namespace harness
