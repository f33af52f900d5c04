// Explains an access to memory that a page operation may not touch: which fault forms that address.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "harness/model/problem.hpp"
#include "harness/suite/operations/page_format.hpp"

namespace harness {

// `origins` are the addresses of element [0, ..., 0] of the problem's tensors. `address` is none
// where it lies outside of what addresses can name. One or two sentences; empty where nothing is
// known that touches this place.
std::string explain_page_access(const PageOperation& operation, const Problem& problem,
                                std::span<const std::uint64_t> origins,
                                std::optional<std::uint64_t> address);

}  // namespace harness
