// What judging takes of the host's memory.
#pragma once

#include <cstdint>
#include <string>

#include "harness/model/case.hpp"
#include "harness/model/operation.hpp"

namespace harness {

// What the judge and its workers together take of the host's memory for a case that is judged on so
// many devices at once, at the most.
std::uint64_t judging_bytes(const Operation& operation, const Case& from, std::uint64_t devices);

// Below this a case is as cheap as asking what there is.
bool is_worth_asking(std::uint64_t judging_bytes);

std::string in_gibibytes(std::uint64_t bytes);  // "20.5 GiB"

}  // namespace harness
