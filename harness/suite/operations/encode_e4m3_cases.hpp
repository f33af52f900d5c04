// The cases of `encode_e4m3`.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "harness/model/case.hpp"

namespace harness {

std::vector<Case> encode_cases(Level level, std::uint64_t seed);
nlohmann::json random_encode_spec(std::uint64_t seed);
std::vector<nlohmann::json> smaller_encode_specs(const nlohmann::json& spec);

}  // namespace harness
