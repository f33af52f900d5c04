// The cases of `convert` and of `encode_e4m3`, which is one cast of it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/model/case.hpp"
#include "harness/suite/operations/convert_spec.hpp"

namespace harness {

std::vector<Case> encode_cases(Level level, std::uint64_t seed);
std::vector<Case> convert_cases(Level level, std::uint64_t seed);
// `only`: the cast of an operation that has one.
nlohmann::json random_convert_spec(std::uint64_t seed, const std::optional<Cast>& only);
std::vector<nlohmann::json> smaller_convert_specs(const nlohmann::json& spec,
                                                  const std::optional<Cast>& only);

}  // namespace harness
