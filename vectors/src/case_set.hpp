// The cases of the operations as a set of golden files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vectors/src/vector_set.hpp"

namespace harness {

// `level` names one of harness::Level. Paths of first calls, without building them.
Result<std::vector<std::string>> case_set_paths(std::string_view level, std::uint64_t seed);
Result<void> make_case_set(std::string_view level, std::uint64_t seed, const TakeVector& take);

}  // namespace harness
