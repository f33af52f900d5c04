// The case list of `qmul4`, its random specs and the smaller ones of a spec that fails.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "harness/model/case.hpp"

namespace harness {

std::vector<Case> lane_cases(Level level, std::uint64_t seed);
nlohmann::json random_lane_spec(std::uint64_t seed);
std::vector<nlohmann::json> smaller_lane_specs(const nlohmann::json& spec);

}  // namespace harness
